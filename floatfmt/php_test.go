package floatfmt_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// phpServer answers questions, each a byte for what is asked, a precision and a
// payload, until its input ends.
const phpServer = `
error_reporting(0);
while (($head = fread(STDIN, 9)) !== false && strlen($head) === 9) {
    $ask = unpack('aop/lprecision/Vlength', $head);
    for ($in = ''; strlen($in) < $ask['length']; ) {
        $in .= fread(STDIN, $ask['length'] - strlen($in));
    }
    ini_set('serialize_precision', (string) $ask['precision']);
    $out = '';
    switch ($ask['op']) {
        case 's':
            $out = serialize(array_values(unpack('e*', $in)));
            break;
        case 'v':
            foreach (unpack('e*', $in) as $f) $out .= var_export($f, true) . "\n";
            break;
        case 'j':
            foreach (unpack('e*', $in) as $f) $out .= json_encode($f) . "\n";
            break;
        case 'u':
            foreach (explode("\n", $in) as $text) {
                error_clear_last();
                $f = unserialize("d:$text;");
                $out .= !is_float($f) ? "n\0\0\0\0\0\0\0\0"
                    : (error_get_last() ? 'w' : 'y') . pack('e', $f);
            }
            break;
        case 'a':
            $out = pack('e*', ...unserialize($in));
            break;
    }
    fwrite(STDOUT, pack('V', strlen($out)) . $out);
}
`

// php is a live PHP that answers what it thinks of doubles and their texts.
type php struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// startPHP starts a PHP that lives until the test ends.
func startPHP(t *testing.T) *php {
	t.Helper()
	path, err := exec.LookPath("php")
	require.NoError(t, err, "PHP is the judge of these tests: apt-get install php-cli")
	cmd := exec.Command(path, "-n", "-d", "memory_limit=1G", "-r", phpServer)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		require.NoError(t, cmd.Wait(), "%s", stderr.Bytes())
	})
	return &php{t, in, bufio.NewReaderSize(out, 1<<20)}
}

// ask puts one question.
func (p *php) ask(op byte, precision int, payload []byte) []byte {
	p.t.Helper()
	head := append([]byte{op}, make([]byte, 8)...)
	binary.LittleEndian.PutUint32(head[1:], uint32(int32(precision)))
	binary.LittleEndian.PutUint32(head[5:], uint32(len(payload)))
	_, err := p.in.Write(append(head, payload...))
	require.NoError(p.t, err, "PHP went away")
	var size [4]byte
	_, err = io.ReadFull(p.out, size[:])
	require.NoError(p.t, err, "PHP went away")
	answer := make([]byte, binary.LittleEndian.Uint32(size[:]))
	_, err = io.ReadFull(p.out, answer)
	require.NoError(p.t, err, "PHP went away")
	return answer
}

// serialize returns what stands after d: for each double.
func (p *php) serialize(doubles []float64, precision int) [][]byte {
	p.t.Helper()
	answer := p.ask('s', precision, pack(doubles))
	_, answer, _ = bytes.Cut(answer, []byte("{"))
	texts := make([][]byte, 0, len(doubles))
	for range doubles {
		_, answer, _ = bytes.Cut(answer, []byte(";d:")) // the key
		var text []byte
		text, answer, _ = bytes.Cut(answer, []byte(";"))
		texts = append(texts, text)
	}
	require.Equal(p.t, "}", string(answer))
	return texts
}

// varExport returns var_export's text of each double.
func (p *php) varExport(doubles []float64, precision int) [][]byte {
	p.t.Helper()
	return lines(p.ask('v', precision, pack(doubles)))
}

// json returns json_encode's text of each double, empty where it refuses.
func (p *php) json(doubles []float64, precision int) [][]byte {
	p.t.Helper()
	return lines(p.ask('j', precision, pack(doubles)))
}

// verdict is whether PHP reads a text (y), reads it with a warning (w) or
// refuses it (n), and what it reads.
type verdict struct {
	answer byte
	bits   uint64
}

// unserialize returns PHP's verdict on each text between d: and ;.
func (p *php) unserialize(texts [][]byte) []verdict {
	p.t.Helper()
	answer := p.ask('u', -1, bytes.Join(texts, []byte("\n")))
	require.Len(p.t, answer, 9*len(texts))
	verdicts := make([]verdict, len(texts))
	for i := range texts {
		record := answer[9*i:]
		verdicts[i] = verdict{record[0], binary.LittleEndian.Uint64(record[1:])}
	}
	return verdicts
}

// values returns what PHP reads from texts that it accepts, as one array.
func (p *php) values(texts [][]byte) []float64 {
	p.t.Helper()
	array := append(strconv.AppendInt([]byte("a:"), int64(len(texts)), 10), ":{"...)
	for i, text := range texts {
		array = append(strconv.AppendInt(append(array, "i:"...), int64(i), 10), ";d:"...)
		array = append(append(array, text...), ';')
	}
	answer := p.ask('a', -1, append(array, '}'))
	require.Len(p.t, answer, 8*len(texts))
	doubles := make([]float64, len(texts))
	for i := range texts {
		doubles[i] = math.Float64frombits(binary.LittleEndian.Uint64(answer[8*i:]))
	}
	return doubles
}

func pack(doubles []float64) []byte {
	b := make([]byte, 0, 8*len(doubles))
	for _, f := range doubles {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return b
}

func lines(b []byte) [][]byte {
	all := bytes.Split(b, []byte("\n"))
	return all[:len(all)-1]
}
