/*
 * sequence.h: public calls of a family, written as words:
 *
 *   acl_init  acl_init(FILE)  acl_finalize
 *   init  init(PATH)  finalize         PATH is "out" unless said
 *   set(TYPE,VALUE)
 *   start(0,1)  stop(0,1)              devices; "0,1/0x3" with data types, "0/0x3/255" with metrics too
 *   subscribe(ID)  unsubscribe(ID)     "1/0/255": time switch and metrics; the pipe is made when first needed
 *   size                               get_op_desc_size
 *   stamp  mark  push  pop  range  end  message   of one stamp, one range; `stamp` is 0 when one was made, else 1
 *   load(ID:NAME)  unload(ID)          announce a model
 *   call(NAME)  call(NAME:ID)          record a call
 *   slow(MS)  done(NAME)               a call that begins here, and ends there
 *   clear(DIR)                         remove a directory with all its content
 *   sleep(MS)  thread                  the words after `thread` are those of another thread
 */
#ifndef TEST_SEQUENCE_H
#define TEST_SEQUENCE_H

/* Perform a word and return its code. An unknown word ends the process with 2. */
int run_word(const char *word);

/*
 * "word=code word=code ...": perform all words. Returns NULL, or the first word with another code. Words without '='
 * require 0.
 */
const char *run_words(const char *words, int *code);

#endif
