/*
 * The arrays of C-Blosc2 3 are declared with its super-chunks. https://github.com/b2nd/b2nd, MIT OR Apache-2.0
 */
#ifndef B2ND_H
#define B2ND_H
#include "blosc2.h"
#endif
