// Recently opened URLs and file handles. Only IndexedDB can store handles.

export interface Recent {
  name: string
  url?: string
  handle?: FileSystemHandle
  time: number
}

const MAX_FILES = 8

function store<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('b2nd-viewer', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('recent', { keyPath: 'name' })
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const request = work(opening.result.transaction('recent', mode).objectStore('recent'))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
      request.transaction!.oncomplete = () => opening.result.close()
    }
  })
}

/** The most recent first; none if the browser stores nothing. */
export async function recent(): Promise<Recent[]> {
  try {
    const all = (await store('readonly', store => store.getAll())) as Recent[]
    return all.sort((a, b) => b.time - a.time)
  } catch {
    return []
  }
}

export async function remember(entry: Omit<Recent, 'time'>): Promise<void> {
  try {
    await store('readwrite', store => store.put({ ...entry, time: Date.now() }))
    for (const { name } of (await recent()).slice(MAX_FILES)) await forget(name)
  } catch {
    // Storage may be unavailable, for example in a private window.
  }
}

export async function forget(name: string): Promise<void> {
  await store('readwrite', store => store.delete(name)).catch(() => undefined)
}

/** Whether a file may be read again; asks the user if necessary. */
export async function allowed(handle: FileSystemHandle): Promise<boolean> {
  const asking = handle as FileSystemHandle & {
    queryPermission?(o: object): Promise<string>
    requestPermission?(o: object): Promise<string>
  }
  const mode = { mode: 'read' }
  return (
    !asking.queryPermission ||
    (await asking.queryPermission(mode)) === 'granted' ||
    (await asking.requestPermission!(mode)) === 'granted'
  )
}
