// Descriptions of why an item has no value.
export type Why = 'uninit' | 'unfetched' | 'computed' | 'damaged'

export const WHY: Record<Why | 'unread', string> = {
  uninit: 'never written',
  unfetched: 'not fetched: not in this file',
  computed: 'computed when read: not in this file',
  damaged: 'damaged: cannot be decoded',
  unread: 'not read',
}
