/* items_support.h: layouts of items, and a reader of files that tests write. */
#ifndef MP_TESTS_ITEMS_SUPPORT_H
#define MP_TESTS_ITEMS_SUPPORT_H

#include "bytes_support.h"
#include "reader_support.h"

#define ITEM_LINES                                                                                                     \
	"tag u16 form 13..15 u8 u16 u32 u8[] u16[] u32[]\neach 0x111\nitem id number 0x112\nitem name text 0x114\n"    \
	"item task number 0x157\n"
#define ITEM_LAYOUT "items r v1 verified\nfile \"f\"\ntable t\n" ITEM_LINES

#endif
