// Where the segmentation of an image is, unless another one is chosen.

/** The name of the segmentation beside an image, as nnU-Net has it: of a file, a URL or a member of a store. */
export const segmentationOf = (image: string): string => image.replace(/(\.\w+)?([?#].*)?$/, '_seg$1$2')
