// The example files.
export const EXAMPLES: [file: string, title: string, text: string][] = [
  ['field.b2nd', 'A day of weather', '24 hours of a float32 field; attributes'],
  ['stack.b2nd', 'Spots of light', 'a uint16 stack, as of a microscope'],
  ['photo.b2nd', 'A landscape', 'RGB, one byte a colour'],
  ['labels.b2nd', 'Cells', 'int32 labels'],
  ['table.b2nd', 'Stations', 'structured: dates, names, numbers'],
  ['signal.b2nd', 'A chirp', '100 000 samples'],
]
