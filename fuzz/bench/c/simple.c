// What a plain decoder and encoder in C get, on the payloads of phpwire bench: a tree
// of malloc'ed nodes, one pass each way, no tricks. It is not complete: no doubles, no
// look for repeated keys, one error for everything.
//
//   cc -O2 -o /tmp/simple fuzz/bench/c/simple.c
//   go run ./codec/payloads/write /tmp/payloads
//   /tmp/simple /tmp/payloads/ints /tmp/payloads/strings /tmp/payloads/deep
//
// For each file it prints MB/s of the fastest round: decoding (with freeing, as in
// PHP), encoding into a buffer that is kept, encoding into memory of its own.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_DEPTH = 512, ROUNDS = 400 };

struct text {
	char *bytes;
	size_t length;
};

struct value {
	char tag; // N b i s a
	union {
		int64_t number;
		struct text text;
		struct {
			struct element *elements;
			size_t count;
		};
	};
};

struct element {
	struct value key, value;
};

// Reading. Every function returns where it stopped, NULL for an error.

static const char *read_number(const char *at, const char *end, char last, int64_t *number) {
	int negative = at < end && *at == '-';
	at += negative;
	const char *first = at;
	uint64_t n = 0;
	for (; at < end && (unsigned)(*at - '0') < 10; at++) {
		uint64_t digit = *at - '0';
		if (n > ((uint64_t)INT64_MAX + negative - digit) / 10)
			return NULL;
		n = n * 10 + digit;
	}
	if (at == first || at >= end || *at != last)
		return NULL;
	*number = negative ? -n : n;
	return at + 1;
}

static const char *read_scalar(const char *at, const char *end, struct value *v) {
	if (end - at < 4 || at[1] != ':')
		return NULL;
	v->tag = at[0];
	if (v->tag == 'i')
		return read_number(at + 2, end, ';', &v->number);
	int64_t length;
	at = read_number(at + 2, end, ':', &length);
	if (!at || length < 0 || end - at < 3 || length > end - at - 3 || at[0] != '"' || at[length + 1] != '"' || at[length + 2] != ';')
		return NULL;
	v->text.length = length;
	v->text.bytes = malloc(length + 1);
	memcpy(v->text.bytes, at + 1, length);
	return at + length + 3;
}

static const char *read_value(const char *at, const char *end, struct value *v, int depth) {
	v->tag = 'N';
	if (end - at < 2)
		return NULL;
	switch (*at) {
	case 'N':
		return at[1] == ';' ? at + 2 : NULL;
	case 'b':
		if (end - at < 4 || at[1] != ':' || (at[2] | 1) != '1' || at[3] != ';')
			return NULL;
		v->tag = 'b';
		v->number = at[2] - '0';
		return at + 4;
	case 'i':
	case 's':
		return read_scalar(at, end, v);
	case 'a':
		break;
	default:
		return NULL;
	}
	int64_t count;
	if (depth == MAX_DEPTH || at[1] != ':' || !(at = read_number(at + 2, end, ':', &count)) || at >= end || *at++ != '{')
		return NULL;
	if (count < 0 || count > (end - at) / 6)
		return NULL;
	v->tag = 'a';
	v->count = 0;
	v->elements = malloc(count * sizeof(struct element) + 1);
	for (; (int64_t)v->count < count; v->count++) {
		struct element *e = &v->elements[v->count];
		if (at >= end || (*at != 'i' && *at != 's'))
			return NULL;
		if (!(at = read_scalar(at, end, &e->key)) || !(at = read_value(at, end, &e->value, depth + 1)))
			return NULL;
	}
	return at < end && *at == '}' ? at + 1 : NULL;
}

static void free_value(struct value *v) {
	if (v->tag == 's')
		free(v->text.bytes);
	if (v->tag != 'a')
		return;
	for (size_t i = 0; i < v->count; i++) {
		if (v->elements[i].key.tag == 's')
			free(v->elements[i].key.text.bytes);
		free_value(&v->elements[i].value);
	}
	free(v->elements);
}

// Writing.

struct buffer {
	char *bytes;
	size_t used, room;
};

static char *more(struct buffer *b, size_t n) {
	if (b->room - b->used < n) {
		b->room = 2 * b->room + n;
		b->bytes = realloc(b->bytes, b->room);
	}
	return b->bytes + b->used;
}

static char *write_number(char *at, int64_t number) {
	char digits[20];
	int n = 0;
	uint64_t left = number;
	if (number < 0) {
		*at++ = '-';
		left = -left;
	}
	do
		digits[n++] = '0' + left % 10;
	while (left /= 10);
	while (n > 0)
		*at++ = digits[--n];
	return at;
}

static void write_value(struct buffer *b, const struct value *v) {
	char *at = more(b, 32);
	at[0] = v->tag;
	at[1] = ':';
	switch (v->tag) {
	case 'N':
		at[1] = ';';
		b->used += 2;
		return;
	case 'b':
	case 'i':
		at = write_number(at + 2, v->number);
		*at++ = ';';
		b->used = at - b->bytes;
		return;
	case 's':
		at = write_number(at + 2, v->text.length);
		*at++ = ':';
		b->used = at - b->bytes;
		at = more(b, v->text.length + 3);
		*at++ = '"';
		memcpy(at, v->text.bytes, v->text.length);
		at += v->text.length;
		*at++ = '"';
		*at++ = ';';
		b->used = at - b->bytes;
		return;
	}
	at = write_number(at + 2, v->count);
	*at++ = ':';
	*at++ = '{';
	b->used = at - b->bytes;
	for (size_t i = 0; i < v->count; i++) {
		write_value(b, &v->elements[i].key);
		write_value(b, &v->elements[i].value);
	}
	*more(b, 1) = '}';
	b->used++;
}

// Timing.

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double least(double a, double b) { return a < b ? a : b; }

static void fail(const char *file, const char *why) {
	fprintf(stderr, "%s: %s\n", file, why);
	exit(1);
}

int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		if (!f || fseek(f, 0, SEEK_END) != 0)
			fail(argv[i], "cannot be read");
		size_t size = ftell(f);
		char *in = malloc(size + 1);
		rewind(f);
		if (fread(in, 1, size, f) != size)
			fail(argv[i], "cannot be read");
		fclose(f);
		struct value v;
		if (read_value(in, in + size, &v, 0) != in + size)
			fail(argv[i], "is no payload that this program knows");
		struct buffer kept = {0};
		write_value(&kept, &v);
		if (kept.used != size || memcmp(kept.bytes, in, size) != 0)
			fail(argv[i], "is written in another way");

		double decode = 1e9, append = 1e9, encode = 1e9;
		int runs = size < 100000 ? 50 : 1;
		for (int round = 0; round < ROUNDS; round++) {
			double began = now();
			for (int run = 0; run < runs; run++) {
				struct value again;
				read_value(in, in + size, &again, 0);
				free_value(&again);
			}
			double decoded = now();
			for (int run = 0; run < runs; run++) {
				kept.used = 0;
				write_value(&kept, &v);
			}
			double appended = now();
			for (int run = 0; run < runs; run++) {
				struct buffer b = {0};
				write_value(&b, &v);
				free(b.bytes);
			}
			double encoded = now();
			decode = least(decode, (decoded - began) / runs);
			append = least(append, (appended - decoded) / runs);
			encode = least(encode, (encoded - appended) / runs);
		}
		printf("%-20s decode %6.0f  append %6.0f  encode %6.0f MB/s\n", strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i],
		       size / decode / 1e6, size / append / 1e6, size / encode / 1e6);
		free_value(&v);
		free(kept.bytes);
		free(in);
	}
	return 0;
}
