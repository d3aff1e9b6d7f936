/* genjob_model.c: the model of a job in the two files that a board makes of it. */
#include "genjob.h"

#include "model_info.h"

static void put_layers(
    struct gen_out *out, const struct gen_plan *plan, uint32_t net, bool utf8, const struct gen_soc *soc)
{
	const struct gen_net *n = &plan->nets[net];

	for (uint32_t i = 0; i < n->task_count; i++) {
		const struct gen_task *t = &plan->tasks[n->first_task + i];

		for (uint32_t k = 0; k < t->layer_count; k++) {
			uint32_t id = t->first_layer + k, edge = 112 >> id % 5;
			struct gen_layer l;

			gen_layer_describe(&l, t, k, utf8);
			gen_layer_put(out, soc,
			    &(struct gen_layer_info){
				id, net, i, l.name, l.type, l.ori, {1, 16u << id % 6, edge, edge}});
		}
	}
}

/* The layers of a net have consecutive numbers. */
static uint32_t count_layers(const struct gen_plan *plan, const struct gen_net *net)
{
	const struct gen_task *first = &plan->tasks[net->first_task], *last = first + net->task_count - 1;

	return last->first_layer + last->layer_count - first->first_layer;
}

static int write_layers(const struct gen_plan *plan, bool utf8, const struct gen_job *job,
    const struct gen_identity *id, struct gen_file *f, struct mp_error *err)
{
	if (gen_file_open(f, job, GEN_LAYER_INFO, id, err))
		return -1;
	for (uint32_t n = 0; n < plan->net_count; n++)
		put_layers(&f->out, plan, n, utf8, job->soc);
	return gen_file_close(f, job, err);
}

static int write_nets(const struct gen_plan *plan, const struct gen_job *job, const struct gen_identity *id,
    struct gen_file *f, struct mp_error *err)
{
	if (gen_file_open(f, job, GEN_NET_INFO, id, err))
		return -1;
	for (uint32_t n = 0; n < plan->net_count; n++) {
		const struct gen_net *net = &plan->nets[n];
		struct gen_layer l = {.type = NULL};

		if (net->on_cpu)
			gen_layer_describe(&l, &plan->tasks[net->first_task], 0, false);
		gen_net_put(
		    &f->out, job->soc, &(struct gen_net_info){n, count_layers(plan, net), net->task_count, l.type});
	}
	return gen_file_close(f, job, err);
}

int gen_model_write(const struct gen_plan *plan, bool utf8, const struct gen_job *job, const struct gen_identity *id,
    struct mp_error *err)
{
	struct gen_file f = {{NULL, 0, 0, -1, 0}, ""};
	int status = write_layers(plan, utf8, job, id, &f, err);

	if (!status)
		status = write_nets(plan, job, id, &f, err);
	gen_out_free(&f.out);
	return status;
}
