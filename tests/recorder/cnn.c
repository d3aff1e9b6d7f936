/*
 * cnn.c: an application that does real work and records it: a small int8 network that classifies images, on the
 * processor it runs on.
 *
 *   cnn [--images N] [ACL_JSON]       default: 4 images, acl.json
 *
 * Its layers are published as operators of the model, its calls as calls of an API. All times are genuine. The
 * weights are made from a fixed seed, so the printed class and checksum are the same everywhere.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msprof_recorder.h"

enum { MODEL_ID = 7, SIDE = 32, CHANNELS_MAX = 32, CLASSES = 10 };

struct tensor {
	int channels, side;
	int8_t at[CHANNELS_MAX * SIDE * SIDE];
};

struct layer {
	const char *name, *type;
	int channels;    /* of the output */
	int shift;       /* of the sum, to come back to 8 bits */
	int8_t *weights; /* channels * input channels * 9 */
};

static uint32_t seed = 2463534242u;

static int8_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (int8_t)(seed >> 24);
}

static int8_t clamp(int32_t v)
{
	return (int8_t)(v > 127 ? 127 : v < -128 ? -128 : v);
}

static void convolve(const struct layer *layer, const struct tensor *in, struct tensor *out)
{
	out->channels = layer->channels;
	out->side = in->side;
	for (int o = 0; o < layer->channels; o++)
		for (int y = 0; y < in->side; y++)
			for (int x = 0; x < in->side; x++) {
				int32_t sum = 0;

				for (int i = 0; i < in->channels; i++)
					for (int k = 0; k < 9; k++) {
						int v = y + k / 3 - 1, u = x + k % 3 - 1;

						if (v >= 0 && u >= 0 && v < in->side && u < in->side)
							sum += layer->weights[(o * in->channels + i) * 9 + k] *
							       in->at[(i * in->side + v) * in->side + u];
					}
				sum >>= layer->shift;
				out->at[(o * out->side + y) * out->side + x] = clamp(sum > 0 ? sum : 0);
			}
}

static void pool(const struct tensor *in, struct tensor *out)
{
	out->channels = in->channels;
	out->side = in->side / 2;
	for (int c = 0; c < in->channels; c++)
		for (int y = 0; y < out->side; y++)
			for (int x = 0; x < out->side; x++) {
				int8_t most = -128;

				for (int k = 0; k < 4; k++) {
					int8_t v = in->at[(c * in->side + 2 * y + k / 2) * in->side + 2 * x + k % 2];

					most = v > most ? v : most;
				}
				out->at[(c * out->side + y) * out->side + x] = most;
			}
}

static int classify(const struct tensor *in, const int8_t *weights, uint32_t *checksum)
{
	int32_t best = INT32_MIN;
	int size = in->channels * in->side * in->side, class = 0;

	for (int c = 0; c < CLASSES; c++) {
		int32_t sum = 0;

		for (int i = 0; i < size; i++)
			sum += weights[c * size + i] * in->at[i];
		*checksum = *checksum * 31 + (uint32_t)sum;
		if (sum > best) {
			best = sum;
			class = c;
		}
	}
	return class;
}

static void publish(uint64_t begin_ns, uint64_t end_ns, const char *name, const char *type)
{
	struct msprof_op op = {.begin_ns = begin_ns,
	    .end_ns = end_ns,
	    .model_id = MODEL_ID,
	    .name = msprof_name(name),
	    .type = msprof_name(type)};

	if (begin_ns && msprof_op_publish(&op))
		fprintf(stderr, "cnn: the operator '%s' was not taken\n", name);
}

static struct layer layers[] = {{.name = "conv1", .type = "Convolution", .channels = 8, .shift = 9},
    {.name = "pool1", .type = "Pooling"}, {.name = "conv2", .type = "Convolution", .channels = 16, .shift = 10},
    {.name = "pool2", .type = "Pooling"}, {.name = "conv3", .type = "Convolution", .channels = 32, .shift = 11}};
enum { LAYERS = sizeof(layers) / sizeof(layers[0]) };
static int8_t *dense;

static int load(void)
{
	int channels = 3;
	size_t side = SIDE;

	for (int l = 0; l < LAYERS; l++) {
		size_t size;

		if (!layers[l].channels) {
			side /= 2;
			continue;
		}
		size = (size_t)(layers[l].channels * channels * 9);
		channels = layers[l].channels;
		layers[l].weights = malloc(size);
		if (!layers[l].weights)
			return -1;
		for (size_t i = 0; i < size; i++)
			layers[l].weights[i] = draw();
	}
	dense = malloc(CLASSES * (size_t)channels * side * side);
	if (!dense)
		return -1;
	for (size_t i = 0; i < CLASSES * (size_t)channels * side * side; i++)
		dense[i] = draw();
	return 0;
}

static int infer(struct tensor *image, uint32_t *checksum)
{
	static struct tensor other;
	struct tensor *in = image, *out = &other;
	uint64_t begin;
	int class;

	for (int l = 0; l < LAYERS; l++) {
		struct tensor *swap = in;

		begin = msprof_begin();
		if (layers[l].channels)
			convolve(&layers[l], in, out);
		else
			pool(in, out);
		publish(begin, msprof_begin(), layers[l].name, layers[l].type);
		in = out;
		out = swap;
	}
	begin = msprof_begin();
	class = classify(in, dense, checksum);
	publish(begin, msprof_begin(), "dense", "InnerProduct");
	return class;
}

int main(int argc, char **argv)
{
	static struct tensor image;
	const char *config = "acl.json";
	int images = 4, status;
	uint32_t checksum = 0;
	uint64_t begin;

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--images") == 0 && i + 1 < argc)
			images = atoi(argv[++i]);
		else
			config = argv[i];
	if (msprof_init(config, MSPROF_SVP))
		return 1;
	begin = msprof_begin();
	status = load();
	msprof_model_loaded(MODEL_ID, "cnn");
	msprof_api_end(begin, MSPROF_MODEL, msprof_name("cnn_load"), MODEL_ID);
	if (status) {
		fputs("cnn: out of memory\n", stderr);
		return 1;
	}
	for (int n = 0; n < images; n++) {
		image.channels = 3;
		image.side = SIDE;
		for (int i = 0; i < 3 * SIDE * SIDE; i++)
			image.at[i] = draw();
		begin = msprof_begin();
		status = infer(&image, &checksum);
		msprof_model_executed(begin, msprof_name("cnn_execute"), MODEL_ID);
		printf("image %d: class %d\n", n, status);
	}
	printf("checksum %08x\n", checksum);
	msprof_model_unloaded(MODEL_ID);
	for (int l = 0; l < LAYERS; l++)
		free(layers[l].weights);
	free(dense);
	return msprof_finalize() ? 1 : 0;
}
