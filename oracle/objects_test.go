package oracle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/codec"
	"phpwire/oracle"
	"phpwire/oracle/oracletest"
)

const event = `Composer\EventDispatcher\Event`

// named is an object that answers getName, counting how often it is asked.
func named(name *string, asked *int, released *int) oracle.Object {
	return oracle.Object{
		Class: event,
		Methods: map[string]oracle.Method{"getName": func(context.Context, *oracle.Session, oracle.Call) (oracle.Reply, error) {
			*asked++
			return oracle.Reply{Value: codec.String(*name)}, nil
		}},
		Snapshot: func() []codec.Entry {
			return []codec.Entry{{Key: codec.StringKey("getName"), Value: codec.String(*name)}}
		},
		Released: func() { *released++ },
	}
}

func TestObjects(t *testing.T) {
	for _, r := range oracletest.All(t) {
		t.Run(r.Name(), func(t *testing.T) {
			t.Parallel()
			ctx := oracletest.Context(t, 2*time.Minute)
			objects := oracle.NewObjects(nil)
			s := begin(t, oracletest.Client(t, r, objects), ctx)
			eval(t, ctx, s, `$GLOBALS['kept'] = null; function keep($o) { $GLOBALS['kept'] = $o; } function name() { return $GLOBALS['kept']->getName(); } function drop() { $GLOBALS['kept'] = null; }`)
			name, asked, released := "first", 0, 0
			h := objects.Add(named(&name, &asked, &released))
			descriptor := func() codec.Value {
				d, err := objects.Descriptor(h)
				require.NoError(t, err)
				return d
			}
			mustCall := func(name string, args ...codec.Value) codec.Value {
				r, err := s.CallFunction(ctx, call(name, args...))
				require.NoError(t, err)
				return r.Value
			}
			mustCall("keep", descriptor())
			assert.Equal(t, 1, objects.Held())
			equal(t, codec.String("first"), mustCall("name"))
			assert.Zero(t, asked, "the snapshot answers")

			name = "second"
			require.NoError(t, objects.Changed(ctx, s, h))
			equal(t, codec.String("second"), mustCall("name"))
			assert.Equal(t, 1, asked, "after a change the host is asked")

			mustCall("drop")
			mustCall("drop")
			assert.Equal(t, 1, released)
			assert.Zero(t, objects.Len())
			_, err := objects.Descriptor(h)
			require.ErrorContains(t, err, "unknown or was released")
			require.ErrorContains(t, objects.Changed(ctx, s, h), "unknown or was released")

			// A reply may name a handle that was released during its call.
			h = objects.Add(named(&name, &asked, &released))
			v := mustCall("current", codec.List(descriptor()))
			back, ok := v.RustHandle()
			require.True(t, ok)
			assert.Equal(t, h, back.ID)
			equal(t, codec.String("second"), mustCall("__shirabe_eval", codec.String(`return 'second';`)))
			_, err = objects.Descriptor(h)
			require.Error(t, err, "when the next call begins it is forgotten")

			// One that goes to PHP again at once is not.
			h = objects.Add(named(&name, &asked, &released))
			mustCall("is_object", descriptor())
			mustCall("keep", descriptor())
			before := asked
			require.NoError(t, objects.Changed(ctx, s, h))
			equal(t, codec.String("second"), mustCall("name"))
			assert.Equal(t, before+1, asked)
			objects.Remove(h)
			_, err = s.CallFunction(ctx, call("name"))
			var throw *oracle.Throw
			require.ErrorAs(t, err, &throw)
			assert.Contains(t, throw.Message, "unknown or was released")
		})
	}
}

// What a child held when it ended is released.
func TestObjectsOfDeadChild(t *testing.T) {
	ctx := oracletest.Context(t, time.Minute)
	objects := oracle.NewObjects(nil)
	c := oracletest.Client(t, oracletest.Best(t), objects)
	s := begin(t, c, ctx)
	name, asked, released := "n", 0, 0
	kept := named(&name, &asked, &released)
	kept.Keep = true
	eval(t, ctx, s, `function hold($o) { $GLOBALS['held'][] = $o; }`)
	for _, o := range []oracle.Object{kept, named(&name, &asked, &released)} {
		d, err := objects.Descriptor(objects.Add(o))
		require.NoError(t, err)
		_, err = s.CallFunction(ctx, call("hold", d))
		require.NoError(t, err)
	}
	assert.Equal(t, 2, objects.Held())
	_, err := s.CallFunction(ctx, call("__shirabe_eval", codec.String("exit(1);")))
	var fatal *oracle.FatalError
	require.ErrorAs(t, err, &fatal)
	s.End()
	_, err = c.PHPVersion(ctx)
	require.NoError(t, err)
	assert.Zero(t, objects.Held())
	assert.Equal(t, 2, released)
	assert.Equal(t, 1, objects.Len(), "the one that is kept")
}

// PHP finds classes through the service of handle 0.
func TestFindFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Late.php")
	require.NoError(t, os.WriteFile(file, []byte(`<?php class Late { static function word() { return 'late'; } }`), 0o600))
	ctx := oracletest.Context(t, time.Minute)
	var asked []string
	objects := oracle.NewObjects(func(_ context.Context, class string) (string, bool, error) {
		asked = append(asked, class)
		return file, class == "Late", nil
	})
	c := oracletest.Client(t, oracletest.Best(t), objects)
	require.Equal(t, oracle.Native, c.Runtime().Kind, "a WebAssembly PHP has no files of ours")
	_, err := c.CallFunction(ctx, "__shirabe_enable_script_autoloader")
	require.NoError(t, err)
	v, err := c.CallStaticMethod(ctx, "Late", "word")
	require.NoError(t, err)
	equal(t, codec.String("late"), v)
	v, err = c.CallFunction(ctx, "class_exists", codec.String("Nowhere"))
	require.NoError(t, err)
	equal(t, codec.Bool(false), v)
	assert.Equal(t, []string{"Late", "Nowhere"}, asked)
}
