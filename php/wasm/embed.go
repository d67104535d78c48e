// Package wasm holds the host that runs PHP 7.2 to 8.5 as WebAssembly under Node, and the list of npm packages with
// these PHPs. What the host does, and how it is called, is told at the top of host.mjs.
package wasm

import "embed"

// Files are host.mjs, package.json, package-lock.json and .npmrc: all that `npm ci` needs to install every version
// into a folder, and that Node needs to run them. A host.mjs written to a folder without node_modules finds the
// packages through the environment variable PHPWIRE_WASM.
//
//go:embed host.mjs package.json package-lock.json .npmrc
var Files embed.FS
