/* test_learn_layers.c: forms of layer.info are learned from tables, and the import with them gives the same layers. */
#include "learn_layers_support.h"

struct keys {
	const char *task, *stream, *id, *name, *type, *ori;
};

static const struct keys plain_keys = {"task_id", "stream_id", "layer_id", "layer_name", "op_type", "origin"};
static const struct keys odd_keys = {"TaskNo", "Stream No", "No.", "Layer Name", "kind of", "from#"};
static const struct keys bare_keys = {"a", "b", "c", "d", "e", "f"};
static const struct keys *const all_keys[] = {&plain_keys, &odd_keys, &bare_keys};

typedef void write_form(FILE *f, const struct net *net, const struct keys *keys);

static void put_ori(FILE *f, const struct layer *l, const char *between)
{
	fprintf(f, "%s", l->ori[0]);
	if (l->ori_count > 1)
		fprintf(f, "%s%s", between, l->ori[1]);
}

static void put_layer(FILE *f, const struct layer *l, const struct keys *k, bool name)
{
	fprintf(f, "{\"%s\":%d,", k->id, l->id);
	if (name)
		fprintf(f, "\"%s\":\"%s\",", k->name, l->name);
	fprintf(f, "\"dims\":[1,3,%d],\"%s\":\"%s\",\"%s\":[\"", l->id * 2, k->type, l->type, k->ori);
	put_ori(f, l, "\",\"");
	fprintf(f, "\"]}");
}

/* (a) a line a task, with its layers deep within it */
static void nested(FILE *f, const struct net *net, const struct keys *k)
{
	for (int i = 0; i < TASKS; i++) {
		const struct task *t = &net->tasks[i];

		fprintf(f, "{\"version\":3,\"info\":{\"%s\":%d,\"%s\":%d},\"run\":{\"list\":[", k->task, t->id,
		    k->stream, t->stream);
		for (int n = 0; n < t->count; n++) {
			fprintf(f, "%s", n ? "," : "");
			put_layer(f, &t->layers[n], k, true);
		}
		fprintf(f, "]}}\n");
	}
}

/* (a) a line a task, with its layers by name */
static void by_name(FILE *f, const struct net *net, const struct keys *k)
{
	for (int i = 0; i < TASKS; i++) {
		const struct task *t = &net->tasks[i];

		fprintf(f, "{\"%s\":%d,\"%s\":%d,\"layers\":{", k->task, t->id, k->stream, t->stream);
		for (int n = 0; n < t->count; n++) {
			fprintf(f, "%s\"%s\":", n ? "," : "", t->layers[n].name);
			put_layer(f, &t->layers[n], k, false);
		}
		fprintf(f, "}}\n");
	}
}

/* (b) a line a layer */
static void flat(FILE *f, const struct net *net, const struct keys *k)
{
	for (int i = 0; i < TASKS; i++)
		for (int n = 0; n < net->tasks[i].count; n++) {
			fprintf(f, "{\"%s\":%d,\"layer\":", k->task, i);
			put_layer(f, &net->tasks[i].layers[n], k, true);
			fprintf(f, ",\"%s\":%d}\n", k->stream, net->tasks[i].stream);
		}
}

/* (b) a line a layer, with original names as one text */
static void flat_text(FILE *f, const struct net *net, const struct keys *k)
{
	for (int i = 0; i < TASKS; i++)
		for (int n = 0; n < net->tasks[i].count; n++) {
			const struct layer *l = &net->tasks[i].layers[n];

			fprintf(f, "{\"%s\":\"%s\",\"%s\":%d,\"%s\":%d,\"%s\":%d,\"%s\":\"%s\",\"%s\":\"", k->name,
			    l->name, k->task, i, k->id, l->id, k->stream, net->tasks[i].stream, k->type, l->type,
			    k->ori);
			put_ori(f, l, ",");
			fprintf(f, "\"}\n");
		}
}

static void array(FILE *f, const struct net *net, const char *key, int what, bool is_last)
{
	fprintf(f, "\"%s\":[", key);
	for (int i = 0; i < TASKS; i++)
		for (int n = 0; n < net->tasks[i].count; n++) {
			const struct layer *l = &net->tasks[i].layers[n];

			fprintf(f, "%s", i || n ? "," : "");
			if (what < 3)
				fprintf(f, "%d", what == 0 ? i : what == 1 ? net->tasks[i].stream : l->id);
			else if (what < 5)
				fprintf(f, "\"%s\"", what == 3 ? l->name : l->type);
			else {
				fprintf(f, "[\"");
				put_ori(f, l, "\",\"");
				fprintf(f, "\"]");
			}
		}
	fprintf(f, is_last ? "]" : "],");
}

/* (c) arrays side by side */
static void zipped(FILE *f, const struct net *net, const struct keys *k)
{
	fprintf(f, "{\"format\":2,\"table\":{");
	array(f, net, k->name, 3, false);
	array(f, net, k->task, 0, false);
	array(f, net, k->stream, 1, false);
	array(f, net, k->type, 4, false);
	array(f, net, k->id, 2, false);
	array(f, net, k->ori, 5, true);
	fprintf(f, "}}\n");
}

/* (d) one line with all layers */
static void whole(FILE *f, const struct net *net, const struct keys *k)
{
	fprintf(f, "{\"format\":2,\"model\":{\"items\":[");
	for (int i = 0; i < TASKS; i++)
		for (int n = 0; n < net->tasks[i].count; n++) {
			fprintf(f, "%s{\"%s\":%d,\"%s\":%d,\"is\":", i || n ? "," : "", k->task, i, k->stream,
			    net->tasks[i].stream);
			put_layer(f, &net->tasks[i].layers[n], k, true);
			fprintf(f, "}");
		}
	fprintf(f, "]}}\n");
}

static write_form *const json_forms[] = {nested, by_name, flat, flat_text, zipped, whole};

static void write_form_file(struct job_test *t, write_form *form, const struct net *net, const struct keys *keys)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	form(f, net, keys);
	assert_int_equal(fclose(f), 0);
	write_file(t->data, "net.7.layer.info", text, size);
	free(text);
}

/* Learn from these tables; the caller frees what was found. */
static struct mp_found learn(struct job_test *t, struct table **tables, size_t count)
{
	struct mp_reference refs[4];
	struct mp_references list = {.items = refs, .count = count};
	struct mp_learn_input in = {.refs = &list};
	struct mp_found found;

	for (size_t i = 0; i < count; i++)
		refs[i] = tables[i]->ref;
	job_open(t);
	in.job = t->job;
	assert_ok(mp_find_layers(&found, &in, &t->err), &t->err);
	return found;
}

static void assert_learned(struct job_test *t, const struct net *net, const struct mp_found *found, const char *what)
{
	char *is = import_rows(t, found->text);
	const char *should = layer_rows(net, true);

	if (strcmp(is, should) != 0)
		fail_msg("%s: %s\nmissing: %s\ngives\n%s\nnot\n%s", what, found->text ? found->text : "(nothing)",
		    found->missing_count ? found->missing[0] : "", is, should);
	if (found->text && (strstr(found->text, "conv1") || strstr(found->text, "relu")))
		fail_msg("%s: names of layers in %s", what, found->text);
	free(is);
}

static void all_forms(struct job_test *t, const struct keys *keys, int streams, int flags)
{
	struct net net = make_net(streams);
	struct table *tables[2] = {make_table(&net, flags), make_table(&net, TRACE)};

	for (size_t i = 0; i < sizeof(json_forms) / sizeof(json_forms[0]); i++) {
		struct mp_found found;
		char what[64];

		snprintf(what, sizeof(what), "form %zu, key %s, flags %d, %d streams", i, keys->task, flags, streams);
		write_form_file(t, json_forms[i], &net, keys);
		found = learn(t, tables, flags & WITH_TASK && streams == 1 ? 1 : 2);
		assert_learned(t, &net, &found, what);
		assert_non_null(found.text);
		assert_false(found.is_guess);
		mp_found_free(&found);
	}
	free(tables[0]);
	free(tables[1]);
}

static void json_is_learned(void **state)
{
	for (size_t i = 0; i < 3; i++)
		for (int streams = 1; streams < 3; streams++)
			all_forms(*state, all_keys[i], streams, WITH_TASK | WITH_STREAM);
}

static void filtered_rows_suffice(void **state)
{
	all_forms(*state, &plain_keys, 1, WITH_TASK | FILTERED);
	all_forms(*state, &bare_keys, 2, WITH_TASK | FILTERED);
}

static void cut_names_suffice(void **state)
{
	all_forms(*state, &plain_keys, 1, WITH_TASK | CUT);
}

static void tasks_come_from_a_trace(void **state)
{
	all_forms(*state, &plain_keys, 1, 0);
	all_forms(*state, &odd_keys, 2, 0);
	all_forms(*state, &bare_keys, 2, FILTERED);
}

/* Lines of text: which column has what, what stands between, and the head. */
struct lines {
	const char *order; /* t task, s stream, i id, n name, y type, o original names, x and - others */
	const char *between, *between_ori, *head, *end;
};

static void write_lines(struct job_test *t, const struct net *net, const struct lines *l)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (l->head)
		fprintf(f, "%s%s", l->head, l->end);
	for (int i = 0; i < TASKS; i++)
		for (int n = 0; n < net->tasks[i].count; n++) {
			const struct layer *layer = &net->tasks[i].layers[n];

			for (const char *c = l->order; *c; c++) {
				fprintf(f, "%s", c == l->order ? "" : l->between);
				if (*c == 't' || *c == 's' || *c == 'i')
					fprintf(f, "%d", *c == 't' ? i : *c == 's' ? net->tasks[i].stream : layer->id);
				else if (*c == 'n' || *c == 'y')
					fprintf(f, "%s", *c == 'n' ? layer->name : layer->type);
				else if (*c == 'o')
					put_ori(f, layer, l->between_ori);
				else if (*c == 'x')
					fprintf(f, "%dx%d", layer->id, i);
				else if (i % 3) /* a column that is empty now and then */
					fprintf(f, "k%d", i);
			}
			fprintf(f, "%s", l->end);
		}
	assert_int_equal(fclose(f), 0);
	write_file(t->data, "net.7.layer.info", text, size);
	free(text);
}

static void text_is_learned(void **state)
{
	static const struct lines forms[] = {
	    {"tsinyo", ";", ",", "task;stream;layer;name;type;ori", "\n"},
	    {"tsinyo", ";", ",", NULL, "\n"},
	    {"onyist", "|", ",", NULL, "\n"},
	    {"xytons-ix", "\t", ",", "size\ttype\ttask\tfrom\tname\tqueue\tnote\tno\tsize2", "\n"},
	    {"xtynsioxx-", " ", ",", NULL, "\n"},
	    {"-tynsio-", ":", ",", NULL, "\n"},
	    {"-tynsi-o", "; ", ",", "#k; task; type; name; stream; id; k; ori", "\r\n"},
	    {"tsinyo", ",", ",", "task,stream,layer,name,type,ori", "\n"},
	    {"tynsi-o", " | ", ",", NULL, "\r\n"},
	};
	struct job_test *t = *state;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		for (int streams = 1; streams < 3; streams++) {
			struct net net = make_net(streams);
			struct table *tables[2] = {
			    make_table(&net, i % 2 ? FILTERED : WITH_TASK), make_table(&net, TRACE)};
			struct mp_found found;

			write_lines(t, &net, &forms[i]);
			found = learn(t, tables, 2);
			assert_learned(t, &net, &found, forms[i].order);
			assert_int_equal(strncmp(found.text, "text svp.layer_info v2 learned\n", 31), 0);
			mp_found_free(&found);
			free(tables[0]);
			free(tables[1]);
		}
	}
}

/* The first form of every file: nothing is written for what is built in. */
static void built_in_stays(void **state)
{
	static const struct keys keys = {"task", "stream", "id", "name", "type", "ori"};
	struct net net = make_net(2);
	struct table *table = make_table(&net, WITH_TASK | WITH_STREAM);
	struct job_test *t = *state;
	struct mp_found found;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	for (int i = 0; i < TASKS; i++) {
		fprintf(f, "{\"task\":%d,\"stream\":%d,\"layers\":[", i, net.tasks[i].stream);
		for (int n = 0; n < net.tasks[i].count; n++) {
			fprintf(f, "%s", n ? "," : "");
			put_layer(f, &net.tasks[i].layers[n], &keys, true);
		}
		fprintf(f, "]}\n");
	}
	assert_int_equal(fclose(f), 0);
	write_file(t->data, "net.7.layer.info", text, size);
	free(text);
	found = learn(t, &table, 1);
	assert_null(found.text);
	assert_int_equal(found.missing_count, 0);
	assert_learned(t, &net, &found, "built in");
	mp_found_free(&found);
	free(table);
}

static const struct mp_finding *finding_named(const struct mp_found *found, const char *name)
{
	for (size_t i = 0; i < found->finding_count; i++)
		if (strcmp(found->findings[i].name, name) == 0)
			return &found->findings[i];
	fail_msg("no finding '%s'", name);
	return NULL;
}

/* Where nothing names the tasks, the task is a guess, by its name. */
static void task_is_guessed(void **state)
{
	struct net net = make_net(1);
	struct table *table = make_table(&net, 0);
	struct job_test *t = *state;
	struct mp_found found;

	write_form_file(t, flat, &net, &plain_keys);
	found = learn(t, &table, 1);
	assert_learned(t, &net, &found, "guess");
	assert_true(found.is_guess);
	assert_non_null(strstr(found.guess, "which value of layer.info is the task is a guess"));
	assert_int_equal(found.missing_count, 0);
	assert_int_equal(finding_named(&found, "task_id")->rows, 0);
	assert_int_equal(finding_named(&found, "name")->fits, TASKS);
	mp_found_free(&found);
	free(table);
}

/* Evidence counts rows; two paths with the same values are both named. */
static void evidence_is_counted(void **state)
{
	struct net net = make_net(1), other = make_net(1);
	struct table *table;
	struct job_test *t = *state;
	struct mp_found found;
	const struct mp_finding *f;

	for (int i = 0; i < TASKS; i++) /* names are original names */
		for (int n = 0; n < net.tasks[i].count; n++) {
			struct layer *l = &net.tasks[i].layers[n];

			l->ori_count = 1;
			memcpy(l->ori[0], l->name, sizeof(l->name));
		}
	other = net;
	memcpy(other.tasks[3].layers[0].type, "Other", 6);
	table = make_table(&other, WITH_TASK);
	write_form_file(t, flat, &net, &plain_keys);
	found = learn(t, &table, 1);
	assert_learned(t, &net, &found, "evidence");
	f = finding_named(&found, "type");
	assert_string_equal(f->place, "layer.op_type");
	assert_int_equal(f->rows, TASKS);
	assert_int_equal(f->fits, TASKS - 1);
	f = finding_named(&found, "name");
	assert_string_equal(f->place, "layer.layer_name");
	assert_non_null(strstr(f->others, "layer.origin"));
	mp_found_free(&found);
	free(table);
}

/* A handful of damaged lines, and a line for a task that no reference knows, change nothing. */
static void damage_is_tolerated(void **state)
{
	struct net net = make_net(1);
	struct table *table = make_table(&net, WITH_TASK | FILTERED);
	struct job_test *t = *state;
	struct mp_found found;
	char *text = NULL, *more;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	flat(f, &net, &odd_keys);
	fprintf(f, "{\"TaskNo\": oh\n\x01\xff\n{\"TaskNo\":\"text\"}\n\n{}\n");
	assert_int_equal(fclose(f), 0);
	write_file(t->data, "net.7.layer.info", text, size);
	found = learn(t, &table, 1);
	more = import_rows(t, found.text);
	assert_string_equal(more, layer_rows(&net, true));
	free(more);
	free(text);
	mp_found_free(&found);
	free(table);
}

/* Tables of another job explain nothing, and nothing is written. */
static void another_job_is_refused(void **state)
{
	struct net net = make_net(1), other = make_net(1);
	struct table *table;
	struct job_test *t = *state;
	struct mp_found found;

	for (int i = 0; i < TASKS; i++)
		for (int n = 0; n < other.tasks[i].count; n++) {
			other.tasks[i].layers[n].id += 1000;
			memcpy(other.tasks[i].layers[n].name, "else", 4);
			memcpy(other.tasks[i].layers[n].ori[0], "else", 4);
		}
	table = make_table(&other, WITH_TASK);
	write_form_file(t, flat, &net, &plain_keys);
	found = learn(t, &table, 1);
	assert_null(found.text);
	assert_int_equal(found.missing_count, 1);
	mp_found_free(&found);
	free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(json_is_learned, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(filtered_rows_suffice, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(cut_names_suffice, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(tasks_come_from_a_trace, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(text_is_learned, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(built_in_stays, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(task_is_guessed, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(evidence_is_counted, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(damage_is_tolerated, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(another_job_is_refused, job_setup, job_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
