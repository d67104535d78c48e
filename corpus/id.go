package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// setID names the case: the area, a few words of the comment, and digits of a
// hash of what is asked, so that an id stays for as long as the question does.
func (c *Case) setID() {
	c.ID = areaOf(c) + "/" + slug(c.Comment) + "-" + c.key()[:8]
}

// key identifies what is asked: two cases with one key are the same question.
func (c *Case) key() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %v ", c.Op, c.From, c.Chunks)
	h.Write(c.Input.B64)
	return hex.EncodeToString(h.Sum(nil))
}

const mostSlug = 40

func slug(text string) string {
	var s strings.Builder
	gap := false
	for _, c := range strings.ToLower(text) {
		word := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		switch {
		case word && gap && s.Len() > 0:
			s.WriteByte('-')
			fallthrough
		case word:
			s.WriteRune(c)
			gap = false
		default:
			gap = true
		}
		if s.Len() >= mostSlug {
			break
		}
	}
	if s.Len() == 0 {
		return "case"
	}
	return s.String()
}

// Asks tells whether two cases ask the same.
func (c *Case) Asks(o *Case) bool { return c.key() == o.key() }
