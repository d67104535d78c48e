package oracle

import (
	"context"
	"fmt"

	"phpwire/codec"
)

// The queries of the sources' public API.

// PHPVersion returns PHP_VERSION.
func (c *Client) PHPVersion(ctx context.Context) (string, error) {
	return c.textOf(ctx, "phpversion")
}

// HasConstant tells whether PHP defines a constant.
func (c *Client) HasConstant(ctx context.Context, name string) (bool, error) {
	v, err := c.CallFunction(ctx, "defined", codec.String(name))
	b, _ := v.Bool()
	return b, err
}

// Constant returns a constant of PHP; an unknown one is a [*Throw].
func (c *Client) Constant(ctx context.Context, name string) (codec.Value, error) {
	return c.CallFunction(ctx, "constant", codec.String(name))
}

// InetPton packs an address as PHP's inet_pton() does; ok is false for what is no
// address.
func (c *Client) InetPton(ctx context.Context, address string) (packed []byte, ok bool, err error) {
	v, err := c.CallFunction(ctx, "inet_pton", codec.String(address))
	text, ok := v.Text()
	return []byte(text), ok, err
}

// HasExtension tells whether PHP has an extension loaded.
func (c *Client) HasExtension(ctx context.Context, name string) (bool, error) {
	v, err := c.CallFunction(ctx, "extension_loaded", codec.String(name))
	b, _ := v.Bool()
	return b, err
}

// ExtensionVersion returns an extension's version; ok is false where it has none
// or is not loaded.
func (c *Client) ExtensionVersion(ctx context.Context, name string) (version string, ok bool, err error) {
	v, err := c.CallFunction(ctx, "phpversion", codec.String(name))
	version, ok = v.Text()
	return version, ok, err
}

// Info returns the text of phpinfo() for the given INFO_ flags, -1 for all.
func (c *Client) Info(ctx context.Context, flags int64) (string, error) {
	return c.textOf(ctx, "__phpwire_phpinfo", codec.Int(flags))
}

// Diagnose returns what somebody who looks into a problem wants to know.
func (c *Client) Diagnose(ctx context.Context) (codec.Value, error) {
	return c.CallFunction(ctx, "diagnose")
}

func (c *Client) textOf(ctx context.Context, function string, args ...codec.Value) (string, error) {
	v, err := c.CallFunction(ctx, function, args...)
	if err != nil {
		return "", err
	}
	text, ok := v.Text()
	if !ok {
		return "", fmt.Errorf("%s returned %v, not a string", function, v)
	}
	return text, nil
}
