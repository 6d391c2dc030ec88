// Descriptions of why an item has no value.
export type Why = 'uninit' | 'unfetched' | 'computed'

export const WHY: Record<Why | 'unread', string> = {
  uninit: 'never written',
  unfetched: 'not fetched: not in this file',
  computed: 'computed when read: not in this file',
  unread: 'not read',
}
