/* complete_job.h: values of options that a job on the command line has: models, inferences, iterations, layers. */
#ifndef MSPROF_COMPLETE_JOB_H
#define MSPROF_COMPLETE_JOB_H

#include "option.h"

/*
 * Print the values of an option, one a line, that the database of the first job among the words has, by
 * schema/complete/FAMILY/OPTION.sql, or by complete/OPTION.sql for all families. Without such a text or a database
 * nothing is printed. A text that a shell would not take as it is between quotes is left out.
 */
void complete_job(const struct option_row *row, int count, char **words);

#endif
