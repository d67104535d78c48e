package frames_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/frames"
)

// One frame of each tag, with its payload in full (clauses F-5 to F-14).
var typed = []struct {
	frame   frames.Frame
	payload string
	from    frames.Side
}{
	{frames.CallFunction{ID: 1, Function: "strlen", Args: []codec.Value{codec.String("ab")}},
		`a:3:{i:0;s:6:"strlen";i:1;a:1:{i:0;s:2:"ab";}i:2;a:0:{}}`, frames.FromHost},
	{frames.CallStaticMethod{ID: 3, Class: "A", Method: "m", OutParams: []int{0, 2}},
		`a:4:{i:0;s:1:"A";i:1;s:1:"m";i:2;a:0:{}i:3;a:2:{i:0;i:0;i:1;i:2;}}`, frames.FromHost},
	{frames.NewObject{ID: 5, Class: "A", Args: []codec.Value{codec.Int(1)}},
		`a:2:{i:0;s:1:"A";i:1;a:1:{i:0;i:1;}}`, frames.FromHost},
	{frames.CallPhpMethod{ID: 7, Handle: 9, Method: "m"},
		`a:4:{i:0;i:9;i:1;s:1:"m";i:2;a:0:{}i:3;a:0:{}}`, frames.FromHost},
	{frames.CallRustMethod{ID: 2, Handle: 0, Method: "__shirabe_find_file", Args: []codec.Value{codec.String("A")}},
		`a:4:{i:0;i:0;i:1;s:19:"__shirabe_find_file";i:2;a:1:{i:0;s:1:"A";}i:3;a:0:{}}`, frames.FromPHP},
	{frames.Return{ID: 1, Value: codec.Int(2)}, `a:2:{i:0;i:2;i:1;a:0:{}}`, frames.FromPHP},
	{frames.Return{ID: 2, Value: codec.Null(), OutParams: []frames.OutParam{{2, codec.Bool(true)}}},
		`a:2:{i:0;N;i:1;a:1:{i:2;b:1;}}`, frames.FromHost},
	{frames.Throw{ID: 1, Class: "E", Message: "\xff", Code: -1, Properties: []codec.Entry{{Key: codec.StringKey("p"), Value: codec.Null()}}},
		"a:4:{i:0;s:1:\"E\";i:1;s:1:\"\xff\";i:2;i:-1;i:3;a:1:{s:1:\"p\";N;}}", frames.FromPHP},
	{frames.ReleaseRustHandle{Handle: 4}, `a:1:{i:0;i:4;}`, frames.FromPHP},
	{frames.ReleasePhpHandle{Handle: 4}, `a:1:{i:0;i:4;}`, frames.FromHost},
	{frames.EpochBump{Handle: 4, Epoch: 2}, `a:2:{i:0;i:4;i:1;i:2;}`, frames.FromHost},
}

func header(length uint64, tag byte, id uint64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, length)
	return binary.LittleEndian.AppendUint64(append(b, tag), id)
}

func whole(tag byte, id uint64, payload string) []byte {
	return append(header(uint64(len(payload)+9), tag, id), payload...)
}

func TestTypedFrames(t *testing.T) {
	for _, c := range typed {
		t.Run(c.frame.Tag().String(), func(t *testing.T) {
			b, err := frames.Append([]byte("before"), c.frame)
			require.NoError(t, err)
			want := append([]byte("before"), whole(byte(c.frame.Tag()), c.frame.CorrID(), c.payload)...)
			require.Equal(t, string(want), string(b))

			for _, from := range []frames.Side{c.from, frames.FromAnyone} {
				got, err := frames.NewReader(bytes.NewReader(b[len("before"):]), from).Read()
				require.NoError(t, err)
				assert.Empty(t, cmp.Diff(c.frame, got, equateEmpty))
			}
		})
	}
}

// equateEmpty: an empty list of arguments and none are the same frame.
var equateEmpty = cmp.Options{
	cmp.FilterValues(func(a, b []codec.Value) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore()),
	cmp.FilterValues(func(a, b []int) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore()),
	cmp.FilterValues(func(a, b []codec.Entry) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore()),
}

var broken = []struct {
	name  string
	bytes []byte
	from  frames.Side
	kind  frames.ErrorKind
	field string
}{
	{"no length", []byte{1, 2, 3}, frames.FromHost, frames.Truncated, ""},
	{"length 0", header(0, 0, 1), frames.FromHost, frames.TooShort, ""},
	{"length 8", header(8, 0, 1), frames.FromHost, frames.TooShort, ""},
	{"length 256 MiB + 1", header(256<<20+1, 0, 1), frames.FromHost, frames.TooLong, ""},
	{"length 2^64-1", header(1<<64-1, 0, 1), frames.FromHost, frames.TooLong, ""},
	{"no tag", header(9, 0, 1)[:8], frames.FromHost, frames.Truncated, ""},
	{"no payload", header(9+5, 0, 1), frames.FromHost, frames.Truncated, ""},
	{"256 MiB claimed, 3 bytes there", append(header(256<<20, 0, 1), "a:3"...), frames.FromHost, frames.Truncated, ""},
	{"empty payload", header(9, 0, 1), frames.FromHost, frames.BadPayload, ""},
	{"tag 0x0a", whole(0x0a, 1, `a:0:{}`), frames.FromAnyone, frames.UnknownTag, ""},
	{"tag 0xff", whole(0xff, 1, `a:0:{}`), frames.FromAnyone, frames.UnknownTag, ""},
	{"CallFunction from PHP", whole(0, 1, `a:3:{i:0;s:1:"f";i:1;a:0:{}i:2;a:0:{}}`), frames.FromPHP, frames.WrongDirection, ""},
	{"CallRustMethod from the host", whole(4, 2, `a:4:{i:0;i:0;i:1;s:1:"m";i:2;a:0:{}i:3;a:0:{}}`), frames.FromHost, frames.WrongDirection, ""},
	{"EpochBump from PHP", whole(9, 0, `a:2:{i:0;i:4;i:1;i:2;}`), frames.FromPHP, frames.WrongDirection, ""},
	{"even id of the host", whole(0, 2, `a:3:{i:0;s:1:"f";i:1;a:0:{}i:2;a:0:{}}`), frames.FromHost, frames.BadID, ""},
	{"id 0 of a call", whole(0, 0, `a:3:{i:0;s:1:"f";i:1;a:0:{}i:2;a:0:{}}`), frames.FromHost, frames.BadID, ""},
	{"odd id of PHP", whole(4, 1, `a:4:{i:0;i:0;i:1;s:1:"m";i:2;a:0:{}i:3;a:0:{}}`), frames.FromPHP, frames.BadID, ""},
	{"id 0 of PHP's call", whole(4, 0, `a:4:{i:0;i:0;i:1;s:1:"m";i:2;a:0:{}i:3;a:0:{}}`), frames.FromPHP, frames.BadID, ""},
	{"PHP answers its own id", whole(5, 2, `a:2:{i:0;N;i:1;a:0:{}}`), frames.FromPHP, frames.BadID, ""},
	{"the host answers its own id", whole(5, 1, `a:2:{i:0;N;i:1;a:0:{}}`), frames.FromHost, frames.BadID, ""},
	{"a reply to nobody", whole(5, 0, `a:2:{i:0;N;i:1;a:0:{}}`), frames.FromAnyone, frames.BadID, ""},
	{"one-way with an id", whole(7, 1, `a:1:{i:0;i:4;}`), frames.FromPHP, frames.BadID, ""},
	{"payload cut short", whole(5, 1, `a:2:{i:0;N;i:1;a:0:{}`), frames.FromPHP, frames.BadPayload, ""},
	{"payload and more", whole(5, 1, `a:2:{i:0;N;i:1;a:0:{}}x`), frames.FromPHP, frames.BadPayload, ""},
	{"payload is a map", whole(5, 1, `a:2:{i:0;N;i:2;a:0:{}}`), frames.FromPHP, frames.NotAList, ""},
	{"payload is a scalar", whole(5, 1, `N;`), frames.FromPHP, frames.NotAList, ""},
	{"no fields", whole(5, 1, `a:0:{}`), frames.FromPHP, frames.MissingField, "value"},
	{"a field missing", whole(5, 1, `a:1:{i:0;N;}`), frames.FromPHP, frames.MissingField, "out_params"},
	{"a field too many", whole(5, 1, `a:3:{i:0;N;i:1;a:0:{}i:2;N;}`), frames.FromPHP, frames.ExtraField, ""},
	{"a Throw of two", whole(6, 1, `a:2:{i:0;s:1:"E";i:1;s:1:"m";}`), frames.FromPHP, frames.MissingField, "code"},
	{"a Throw of five", whole(6, 1, `a:5:{i:0;s:1:"E";i:1;s:1:"m";i:2;i:0;i:3;a:0:{}i:4;N;}`), frames.FromPHP, frames.ExtraField, ""},
	{"a Throw with a list of properties", whole(6, 1, `a:4:{i:0;s:1:"E";i:1;s:1:"m";i:2;i:0;i:3;a:1:{i:0;N;}}`), frames.FromPHP, frames.BadField, "properties"},
	{"function name an int", whole(0, 1, `a:3:{i:0;i:1;i:1;a:0:{}i:2;a:0:{}}`), frames.FromHost, frames.BadField, "function_name"},
	{"arguments a map", whole(0, 1, `a:3:{i:0;s:1:"f";i:1;a:1:{i:1;N;}i:2;a:0:{}}`), frames.FromHost, frames.BadField, "args"},
	{"a position below 0", whole(0, 1, `a:3:{i:0;s:1:"f";i:1;a:0:{}i:2;a:1:{i:0;i:-1;}}`), frames.FromHost, frames.BadField, "out_param_positions"},
	{"an out parameter by name", whole(5, 1, `a:2:{i:0;N;i:1;a:1:{s:1:"a";N;}}`), frames.FromPHP, frames.BadField, "out_params"},
	{"a handle below 0", whole(7, 0, `a:1:{i:0;i:-1;}`), frames.FromPHP, frames.BadField, "rhandle"},
	{"an epoch that is a float", whole(9, 0, `a:2:{i:0;i:4;i:1;d:2;}`), frames.FromHost, frames.BadField, "epoch"},
}

func TestBrokenFrames(t *testing.T) {
	good := whole(5, 1, `a:2:{i:0;N;i:1;a:0:{}}`)
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			r := frames.NewReader(bytes.NewReader(c.bytes), c.from)
			frame, err := r.Read()
			var e *frames.Error
			require.ErrorAs(t, err, &e, "%#v", frame)
			assert.Equal(t, c.kind, e.Kind, "%v", err)
			assert.Equal(t, c.field, e.Field, "%v", err)
			assert.Zero(t, e.Offset)
			var cause *codec.Error
			if errors.As(err, &cause) {
				assert.Equal(t, []string{cause.Found, cause.Want}, []string{e.Found, e.Want})
			}
			_, again := r.Read()
			assert.Equal(t, err, again, "the reader must stay failed")

			// Behind a good frame the error says where the bad one starts.
			if c.from != frames.FromHost {
				r = frames.NewReader(bytes.NewReader(append(bytes.Clone(good), c.bytes...)), c.from)
				_, err = r.Read()
				require.NoError(t, err)
				_, err = r.Read()
				require.ErrorAs(t, err, &e)
				assert.EqualValues(t, len(good), e.Offset)
			}
		})
	}
}

// P5: however a stream is cut into chunks, the frames and the error are the same.
func TestChunks(t *testing.T) {
	var stream []byte
	for _, c := range typed {
		if c.from == frames.FromPHP {
			stream = append(stream, whole(byte(c.frame.Tag()), c.frame.CorrID(), c.payload)...)
		}
	}
	big, err := frames.Append(nil, frames.Return{ID: 1, Value: codec.String(strings.Repeat("x", 200<<10))})
	require.NoError(t, err)
	stream = append(stream, big...)
	read := func(r io.Reader) (got []frames.Frame, err error) {
		reader := frames.NewReader(r, frames.FromPHP)
		for {
			f, err := reader.Read()
			if err != nil {
				return got, err
			}
			got = append(got, f)
		}
	}
	for _, tail := range []string{"", "\x09", "\x08\x00\x00\x00\x00\x00\x00\x00", string(whole(0, 1, ``)), string(header(100, 5, 1)) + "a:2:{"} {
		all := append(bytes.Clone(stream), tail...)
		want, wantErr := read(bytes.NewReader(all))
		for name, r := range map[string]io.Reader{
			"one byte at a time":     iotest.OneByteReader(bytes.NewReader(all)),
			"halves":                 iotest.HalfReader(bytes.NewReader(all)),
			"the end with the bytes": iotest.DataErrReader(bytes.NewReader(all)),
			"7 bytes at a time":      &chunkReader{all, 7},
			"4097 bytes at a time":   &chunkReader{all, 4097},
		} {
			got, err := read(r)
			assert.Empty(t, cmp.Diff(want, got, equateEmpty), name)
			assert.Equal(t, wantErr, err, name)
		}
	}
}

type chunkReader struct {
	rest []byte
	size int
}

func (c *chunkReader) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.size)], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// A length is not memory: 1 MiB or 256 MiB are claimed, a few bytes are there.
func TestMemoryFollowsTheStream(t *testing.T) {
	for _, length := range []uint64{1 << 20, 256 << 20} {
		claim := append(header(length, 5, 1), "a:2:{"...)
		for name, read := range map[string]func(*frames.Reader) (frames.Frame, error){
			"Read": (*frames.Reader).Read, "ReadShared": (*frames.Reader).ReadShared,
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := read(frames.NewReader(bytes.NewReader(claim), frames.FromPHP))
			runtime.ReadMemStats(&after)
			require.Error(t, err)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<10), "%s of %d bytes", name, length)
		}
	}
}

func TestStreamErrors(t *testing.T) {
	failed := errors.New("socket gone")
	_, err := frames.NewReader(iotest.ErrReader(failed), frames.FromPHP).Read()
	var e *frames.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, frames.Stream, e.Kind)
	assert.ErrorIs(t, err, failed)
	_, err = frames.NewReader(iotest.ErrReader(io.EOF), frames.FromPHP).Read()
	assert.Equal(t, io.EOF, err)
}

// The longest frame has 256 MiB behind its length, whatever stands before it.
func TestLongestFrame(t *testing.T) {
	text := strings.Repeat("x", frames.MaxLength)
	most := frames.MaxLength - frames.MinLength - len(`a:2:{i:0;s:268435456:"";i:1;a:0:{}}`)
	buf := append(make([]byte, 0, frames.MaxLength+100), "before"...)
	b, err := frames.Append(buf, frames.Return{ID: 1, Value: codec.String(text[:most])})
	require.NoError(t, err)
	assert.Equal(t, len("before")+8+frames.MaxLength, len(b))
	assert.EqualValues(t, frames.MaxLength, binary.LittleEndian.Uint64(b[len("before"):]))
	b, err = frames.Append(buf, frames.Return{ID: 1, Value: codec.String(text[:most+1])})
	assert.EqualError(t, err, "Return frame (id 1) at offset 0: frame too long: found 268435457 bytes, want at most 268435456")
	assert.Equal(t, "before", string(b))
}

func TestWriterRefuses(t *testing.T) {
	deep := codec.List()
	for range codec.MaxDepth - 1 {
		deep = codec.List(deep)
	}
	for name, f := range map[string]frames.Frame{
		"too deep":         frames.Return{ID: 1, Value: deep},
		"too long":         frames.Return{ID: 1, Value: codec.String(strings.Repeat("x", frames.MaxLength))},
		"reserved key":     frames.CallFunction{ID: 1, Args: []codec.Value{codec.Array(codec.Entry{Key: codec.StringKey("__rhandle")})}},
		"negative handle":  frames.ReleasePhpHandle{Handle: -1},
		"negative epoch":   frames.EpochBump{Epoch: -1},
		"negative out":     frames.CallFunction{ID: 1, OutParams: []int{-1}},
		"negative written": frames.Return{ID: 1, OutParams: []frames.OutParam{{-1, codec.Null()}}},
	} {
		var out bytes.Buffer
		w := frames.NewWriter(&out)
		err := w.Write(f)
		var e *frames.Error
		require.ErrorAs(t, err, &e, name)
		assert.NotEqual(t, frames.Stream, e.Kind, name)
		assert.Zero(t, out.Len(), name)
		require.NoError(t, w.Write(frames.ReleasePhpHandle{Handle: 1}), "the stream goes on")
	}
}

// ReadShared gives what Read gives, valid until the next call.
func TestReadShared(t *testing.T) {
	var stream []byte
	for _, c := range typed {
		stream = append(stream, whole(byte(c.frame.Tag()), c.frame.CorrID(), c.payload)...)
	}
	for _, size := range []int{200 << 10, 100, 1<<20 - 100, 1 << 20, 3 << 20} {
		b, err := frames.Append(nil, frames.Return{ID: 1, Value: codec.String(strings.Repeat("y", size))})
		require.NoError(t, err)
		stream = append(stream, b...)
	}
	stream = append(stream, whole(5, 1, "x")...)
	shared, owned := frames.NewReader(bytes.NewReader(stream), frames.FromAnyone), frames.NewReader(bytes.NewReader(stream), frames.FromAnyone)
	for {
		want, wantErr := owned.Read()
		got, err := shared.ReadShared()
		require.Equal(t, wantErr, err)
		if err != nil {
			break
		}
		assert.Empty(t, cmp.Diff(want, got, equateEmpty))
	}
}

// A frame of up to 1 MiB that is shared costs no memory of its own; what a larger
// one took is not kept.
func TestWhatSharingKeeps(t *testing.T) {
	const most = 1 << 20
	reader := func(size int) *frames.Reader {
		text := strings.Repeat("y", size-8-frames.MinLength-len(`a:2:{i:0;s:1048576:"";i:1;a:0:{}}`))
		b, err := frames.Append(nil, frames.Return{ID: 1, Value: codec.String(text)})
		require.NoError(t, err)
		require.Equal(t, size, len(b))
		return frames.NewReader(&endless{all: b}, frames.FromPHP)
	}
	read := func(r *frames.Reader) {
		_, err := r.ReadShared()
		require.NoError(t, err)
	}
	var before, after runtime.MemStats
	r := reader(most)
	read(r)
	runtime.ReadMemStats(&before)
	read(r)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10))

	r = reader(most + 1)
	runtime.GC()
	runtime.ReadMemStats(&before)
	read(r)
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(64<<10))
	runtime.KeepAlive(r)
}

// What a frame that was read holds does not change when the next one comes.
func TestReadOwns(t *testing.T) {
	stream := append(whole(6, 1, `a:3:{i:0;s:1:"E";i:1;s:3:"abc";i:2;i:0;}`), whole(6, 1, `a:3:{i:0;s:1:"E";i:1;s:3:"xyz";i:2;i:0;}`)...)
	r := frames.NewReader(&chunkReader{stream, len(stream) / 2}, frames.FromPHP)
	first, err := r.Read()
	require.NoError(t, err)
	_, err = r.Read()
	require.NoError(t, err)
	assert.Equal(t, "abc", first.(frames.Throw).Message)
}

// A clone outlives the buffer that a shared frame stands in.
func TestClone(t *testing.T) {
	for _, c := range typed {
		buffer := []byte(c.payload)
		shared, err := frames.ParseShared(frames.Raw{Tag: c.frame.Tag(), ID: c.frame.CorrID(), Payload: buffer}, c.from)
		require.NoError(t, err)
		clone, err := frames.Clone(shared)
		require.NoError(t, err)
		clear(buffer)
		assert.Empty(t, cmp.Diff(c.frame, clone, equateEmpty))
	}
}

// Small frames are written, and read as they are, without an allocation.
func TestSmallFramesDoNotAllocate(t *testing.T) {
	w := frames.NewWriter(io.Discard)
	for _, f := range smallFrames {
		assert.Zero(t, testing.AllocsPerRun(100, func() { _ = w.Write(f) }), "writing %v", f.Tag())
		b, err := frames.Append(nil, f)
		require.NoError(t, err)
		r := frames.NewReader(&endless{all: b}, frames.FromAnyone)
		assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = r.ReadRaw() }), "reading %v", f.Tag())
		raw, err := frames.NewReader(bytes.NewReader(b), frames.FromAnyone).ReadRaw()
		require.NoError(t, err)
		assert.Zero(t, testing.AllocsPerRun(100, func() { _ = w.WriteRaw(raw) }), "writing %v as it is", f.Tag())
	}
}

func TestErrorKindsHaveNames(t *testing.T) {
	assert.Equal(t, "stream failed", frames.Stream.String())
	assert.Equal(t, "unknown", (frames.Stream + 1).String())
	assert.Equal(t, "unknown", frames.ErrorKind(255).String())
}
