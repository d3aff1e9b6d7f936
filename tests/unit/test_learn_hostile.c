/* test_learn_hostile.c: net.info, and files of layers that mean harm: nothing is learned, nothing breaks. */
#include "learn_layers_support.h"

static struct mp_found learn_with(struct job_test *t, const struct table *table, bool model)
{
	struct mp_reference ref = table->ref;
	struct mp_references list = {.items = &ref, .count = 1};
	struct mp_learn_input in = {.refs = &list};
	struct mp_found found;

	job_open(t);
	in.job = t->job;
	assert_ok((model ? mp_find_model : mp_find_layers)(&found, &in, &t->err), &t->err);
	return found;
}

static void repeat(struct job_test *t, const char *before, const char *piece, size_t times, const char *after)
{
	size_t size = strlen(before) + times * strlen(piece) + strlen(after), used = strlen(before);
	char *text = malloc(size + 1);

	memcpy(text, before, used);
	for (size_t i = 0; i < times; i++, used += strlen(piece))
		memcpy(text + used, piece, strlen(piece));
	memcpy(text + used, after, strlen(after) + 1);
	write_file(t->data, "net.7.layer.info", text, size);
	free(text);
}

static void assert_nothing(struct job_test *t, size_t missing)
{
	struct net net = make_net(1);
	struct table *table = make_table(&net, WITH_TASK);
	struct mp_found found = learn_with(t, table, false);

	assert_null(found.text);
	assert_int_equal(found.missing_count, missing);
	mp_found_free(&found);
	free(table);
}

static void hostile_files(void **state)
{
	struct job_test *t = *state;
	char random[4096];
	uint64_t seed = 7;

	repeat(t, "", "[", 16 << 20, "");
	assert_nothing(t, 1);
	repeat(t, "{\"a\":", "[", 60000, "\n");
	assert_nothing(t, 1);
	repeat(t, "", "{\"a\":", 99, "1}\n");
	assert_nothing(t, 1);
	repeat(t, "", "\n", 1 << 20, "");
	assert_nothing(t, 0);
	repeat(t, "", "", 0, "");
	assert_nothing(t, 0);
	repeat(t, "", ";", 60000, "\n;;;\n;;;\n");
	assert_nothing(t, 1);
	repeat(t, "", "0;0;0\n", 100000, "");
	assert_nothing(t, 1);
	repeat(t, "", "{\"a\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}\n", 100000, "");
	assert_nothing(t, 1);
	repeat(t, "{\"", "k", 60000, "\":1}\n");
	assert_nothing(t, 1);
	for (size_t i = 0; i < sizeof(random); i++)
		random[i] = (char)next_random(&seed);
	write_file(t->data, "net.7.layer.info", random, sizeof(random));
	assert_nothing(t, 1);
	/* one object over many lines, which no layout reads */
	write_text(
	    t->data, "net.7.layer.info", "{\n \"task\": 0,\n \"layers\": [\n  {\"name\": \"conv100_branch\"}\n ]\n}\n");
	assert_nothing(t, 1);
}

/* More paths than are looked at: the search gives up with a sentence. */
static void too_many_paths(void **state)
{
	struct job_test *t = *state;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	for (int line = 0; line < 64; line++) {
		fprintf(f, "{");
		for (int i = 0; i < 64; i++)
			fprintf(f, "%s\"k%d_%d\":{\"a\":1,\"b\":\"conv100_branch\"}", i ? "," : "", line, i);
		fprintf(f, "}\n");
	}
	assert_int_equal(fclose(f), 0);
	write_file(t->data, "net.7.layer.info", text, size);
	free(text);
	assert_nothing(t, 1);
}

/* Keys and titles that the layout language cannot say. */
static void hostile_names(void **state)
{
	struct job_test *t = *state;
	struct net net = make_net(1);
	struct table *table = make_table(&net, WITH_TASK);
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct mp_found found;

	for (int i = 0; i < TASKS; i++)
		fprintf(f,
		    "{\"a\\\"b\":%d,\"\":%d,\"#\":%d,\"x\\ny\":\"%s\",\".each\":\"%s\",\"q r\":{\"[0]\":\"%s\"},\"t\":%d}\n",
		    i, i, i, net.tasks[i].layers[0].name, net.tasks[i].layers[0].name, net.tasks[i].layers[0].type, i);
	assert_int_equal(fclose(f), 0);
	write_file(t->data, "net.7.layer.info", text, size);
	free(text);
	found = learn_with(t, table, false);
	assert_non_null(found.text);
	assert_non_null(strstr(found.text, "  value    task_id t\n"));
	assert_non_null(strstr(found.text, "  value    name \".each\"\n"));
	mp_found_free(&found);
	free(table);
}

/* What the table `net` has after an import with what is learned of this net.info. */
static void learn_model(struct job_test *t, const char *text, bool is_written)
{
	struct net net = make_net(1);
	struct table *table = make_table(&net, WITH_TASK);
	struct mp_layouts layouts = {.count = 0};
	struct mp_found found;
	struct mp_db *db = NULL;
	struct mp_job *job = NULL;

	add_raw(t, "aicore.0.net.7.16.3.0");
	write_text(t->data, "net.7.net.info", text);
	found = learn_with(t, table, true);
	if (is_written != (found.text != NULL))
		fail_msg("%s: %s, %s", text, found.text ? found.text : "(nothing)",
		    found.missing_count ? found.missing[0] : "");
	assert_ok(mp_layouts_parse(&layouts, "svp.rec", mp_schema_text("records/svp.rec"), &t->err), &t->err);
	if (found.text)
		assert_ok(mp_layouts_parse(&layouts, "learned.rec", found.text, &t->err), &t->err);
	assert_ok(mp_layouts_finish(&layouts, &t->err), &t->err);
	assert_ok(mp_job_open(&job, t->dir, &layouts, 0, &t->err), &t->err);
	assert_ok(mp_import_private(&db, job, &layouts, &import_options, &t->err), &t->err);
	assert_rows(db, "SELECT batch, input_pic_num FROM net", "16|3");
	mp_db_close(db);
	mp_job_close(job);
	mp_layouts_free(&layouts);
	mp_found_free(&found);
	free(table);
}

static void model_is_learned(void **state)
{
	struct job_test *t = *state;

	learn_model(t, "{\"model\":\"net\",\"model_id\":7,\"batch\":16,\"input_pic_num\":3}\n", false);
	learn_model(
	    t, "{\"model\":{\"name\":\"net\",\"id\":7},\"run\":{\"batch size\":16,\"in\":[3,224,224]}}\n", true);
	learn_model(t, "{\"n\":\"net\",\"b\":16,\"x\":16,\"p\":3}\n", true);
	learn_model(t, "net;7;16;3\n", true);
	learn_model(t, "name,id,input pictures,batch,note\nnet,7,3,16,\n", true);
	learn_model(t, "name=net\nid=7\nbatch=16\npictures=3\n", true);
	learn_model(t, "name: net\r\nbatch_size: 16\r\ninput_pic: 3\r\n", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(hostile_files, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(too_many_paths, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(hostile_names, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(model_is_learned, job_setup, job_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
