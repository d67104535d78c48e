package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/ports/skeleton"
	"phpwire/reports"
)

func TestSkeletonsRun(t *testing.T) {
	for _, language := range skeleton.Languages() {
		t.Run(language, func(t *testing.T) {
			dir := t.TempDir()
			status, out, errs := phpwire(t, "", "port-init", language, "--dir", dir)
			require.Zero(t, status, errs)
			s, err := skeleton.In(language)
			require.NoError(t, err)
			for _, f := range s.Files {
				assert.Contains(t, out, f.Name)
			}
			_, err = exec.LookPath(s.Program)
			require.NoError(t, err, "%s is missing; to get it: %s", s.Program, s.Get)
			if s.Build != "" {
				text, err := exec.Command("sh", "-c", "cd "+dir+" && "+s.Build).CombinedOutput()
				require.NoError(t, err, string(text))
			}
			report := filepath.Join(dir, "report")
			status, out, errs = phpwire(t, "", "check", "--port", "cd "+dir+" && "+s.Run, "--suite", "scalars", "--budget", "0", "--out", report)
			require.Zero(t, status, out+errs)
			r, err := reports.Read(report)
			require.NoError(t, err)
			assert.Positive(t, r.Cell("scalars/decode", "my-port").Passed)
			assert.Positive(t, r.Cell("scalars/encode", "my-port").Passed)
			assert.Equal(t, "not written yet", r.Cell("scalars/decode", "my-port").Skips[0].Name)

			status, _, errs = phpwire(t, "", "port-init", language, "--dir", dir)
			assert.Equal(t, exitError, status, "a file that is there must stay")
			assert.Contains(t, errs, s.Files[0].Name)
		})
	}
	status, _, errs := phpwire(t, "", "port-init", "cobol")
	assert.Equal(t, exitError, status)
	assert.Contains(t, errs, "python")
}
