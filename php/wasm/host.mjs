// Runs a PHP script under a real PHP compiled to WebAssembly.
//
//     node host.mjs VERSION [-n] [-d NAME=VALUE]... SCRIPT [ARG...]
//     node host.mjs --list
//
// VERSION is a short name, 7.2 to 8.5. PHP runs as its command line program, with no php.ini but the
// -d settings. SCRIPT is a file of the real file system; PHP sees the folder it lies in, with everything
// below, under its real path, and nothing else of the file system. The working directory is that folder.
//
// Descriptor 3 of this process, when there is one, is /dev/wire inside: open it with fopen('/dev/wire', 'r+b').
// It has to be in blocking mode. A read waits for at least one byte and is then served with what is there; a
// write returns when all is written. The end of the stream, or a connection reset by the other side, reads as end
// of file. PHP's fread is greedy there, as on any file: it returns when all the bytes asked for have come.
//
// What PHP prints goes to stdout and stderr, unbuffered. The exit status is PHP's own, or
//     2    wrong usage, or that version is not installed
//     134  PHP crashed: WebAssembly trapped, aborted or overflowed the stack; the last line of stderr says so
//
// --list prints the installed versions as a JSON array and starts none of them:
// [{"version":"8.4","php":"8.4.25","package":"@php-wasm/node-8-4","packageVersion":"3.1.56","loadable":true}]
//
// Packages are looked for in the node_modules beside this file, or, when the environment variable
// PHPWIRE_WASM names a folder, in the node_modules of that folder. All versions:
//     npm ci --prefix php/wasm
// One version alone, anywhere:
//     npm install --prefix FOLDER @php-wasm/node-8-4@3.1.56 && export PHPWIRE_WASM=FOLDER

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

const WIRE_FD = 3;
const WIRE_DEVICE = [70, 0]; // major and minor number that no build uses
const EXIT_USAGE = 2;
const EXIT_CRASH = 134; // what a shell reports for SIGABRT
const MiB = 1 << 20;
const ENGINE_STACK = 32 * MiB; // calls and locals, kept by the engine: 10,000 nested arrays take half at most
const DATA_STACK = 128 * MiB; // variables that have an address, in PHP's own memory
const ERRNO = { EAGAIN: 6, EBADF: 8, EPIPE: 64, EIO: 29 }; // WASI's numbers, which the builds use

const here = path.dirname(fileURLToPath(import.meta.url));
const home = path.resolve(process.env.PHPWIRE_WASM || here);
const packages = path.join(home, 'node_modules', '@php-wasm');

if (isMainThread) {
	main(process.argv.slice(2));
} else {
	await run(workerData).catch(crash);
}

function main(args) {
	if (args.length === 1 && args[0] === '--list') {
		say(1, JSON.stringify(installed().map(({ loader, ...build }) => build)) + '\n');
		return;
	}
	const { version, options, script, scriptArgs } = parse(args);
	const build = installed().find((b) => b.version === version && b.loadable) ?? fail(howToInstall(version));
	const file = realFile(script);
	const thread = new Worker(new URL(import.meta.url), {
		workerData: { loader: build.loader, args: ['php', ...options, file, ...scriptArgs], folder: path.dirname(file) },
		resourceLimits: { stackSizeMb: ENGINE_STACK / MiB },
	});
	thread.on('error', crash);
	thread.on('exit', (status) => process.exit(status));
}

// Runs PHP to its end, on a thread of its own: only there can the stack be as deep as nested data needs it.
async function run({ loader, args, folder }) {
	const php = await load(loader);
	openWorld(php.FS, folder);
	moveStack(php.wasmExports);
	for (const arg of args) php.ccall('wasm_add_cli_arg', null, ['string'], [arg]);
	try {
		process.exit(await php.ccall('run_cli', 'number', [], [], { async: true }));
	} catch (error) {
		if (error?.name !== 'ExitStatus') throw error;
		process.exit(error.status);
	}
}

// The installed builds, oldest first, found by looking at files alone.
function installed() {
	const names = fs.existsSync(packages) ? fs.readdirSync(packages) : [];
	return names
		.map((name) => /^node-(\d+)-(\d+)$/.exec(name))
		.filter(Boolean)
		.map(([name, major, minor]) => {
			const folder = path.join(packages, name);
			const loader = path.join(folder, 'asyncify', `php_${major}_${minor}.js`);
			const php = exactVersion(path.dirname(loader), `${major}_${minor}_`);
			const binary = php && path.join(path.dirname(loader), php.replaceAll('.', '_'), `php_${major}_${minor}.wasm`);
			return {
				version: `${major}.${minor}`,
				php,
				package: `@php-wasm/${name}`,
				packageVersion: packageVersion(folder),
				loadable: Boolean(binary) && fs.existsSync(loader) && fs.existsSync(binary),
				loader,
			};
		})
		.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

// A build keeps its binary in a folder named after the exact version, 8_4_25.
function exactVersion(folder, prefix) {
	const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
	return names.find((name) => name.startsWith(prefix))?.replaceAll('_', '.') ?? null;
}

function packageVersion(folder) {
	try {
		return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
	} catch {
		return null;
	}
}

function howToInstall(version) {
	const { dependencies } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
	const name = `@php-wasm/node-${version.replace('.', '-')}`;
	if (!(name in dependencies)) return `there is no PHP ${version} for WebAssembly, only 7.2 to 8.5`;
	const install = home === here ? `npm ci --prefix ${home}` : `npm install --prefix ${home} ${name}@${dependencies[name]}`;
	return `PHP ${version} for WebAssembly is not installed in ${home}; this installs it: ${install}`;
}

function parse(args) {
	const [version, ...rest] = args;
	// 8.3 alone is built with a stack guard of PHP's own. It guesses 2 MiB, less than 4,096 nested arrays take.
	const options = ['-n', '-d', 'zend.max_allowed_stack_size=16M'];
	while (rest.length > 0 && rest[0].startsWith('-')) {
		const option = rest.shift();
		if (option === '-n') continue;
		const setting = option === '-d' ? rest.shift() : option.startsWith('-d') ? option.slice(2) : undefined;
		if (!setting) fail(`option ${option} is not understood; only -n and -d NAME=VALUE are`);
		options.push('-d', setting);
	}
	const [script, ...scriptArgs] = rest;
	if (!script || !/^\d+\.\d+$/.test(version)) {
		fail('usage: node host.mjs VERSION [-n] [-d NAME=VALUE]... SCRIPT [ARG...]   or   node host.mjs --list');
	}
	return { version, options, script, scriptArgs };
}

function realFile(script) {
	try {
		return fs.realpathSync(script);
	} catch (error) {
		fail(`cannot open ${script}: ${error.code}`);
	}
}

// Loads a build with the loader it comes with. Every package holds two builds; the one that suspends itself by
// asyncify runs on any Node. Here it never has to suspend: /dev/wire blocks.
async function load(loader) {
	const { init } = await import(pathToFileURL(loader));
	return new Promise((resolve, reject) => {
		const module = init('NODE', {
			ENV: { ...process.env },
			locateFile: (file) => file,
			noInitialRun: true,
			processId: process.pid,
			onAbort: reject,
			onStdout: (chunk) => say(1, chunk),
			onStderr: (chunk) => say(2, chunk),
			print: (text) => say(1, text),
			printErr: (text) => say(2, text + '\n'),
			onRuntimeInitialized: () => resolve(module),
		});
	});
}

function openWorld(FS, folder) {
	FS.mkdirTree(folder);
	FS.mount(FS.filesystems.NODEFS, { root: folder }, folder);
	FS.chdir(folder);
	const device = FS.makedev(...WIRE_DEVICE);
	FS.registerDevice(device, wire(FS));
	FS.mkdev('/dev/wire', device);
}

// Gives PHP a larger stack than the 1 MiB built in. Not every build notices that it has left that stack: 7.2 goes
// on with overwritten data. So the engine's stack, which is guarded, has to be the one that is used up first.
function moveStack(wasm) {
	const bottom = wasm.malloc(DATA_STACK);
	if (bottom === 0) throw new Error('no memory for the stack');
	wasm._emscripten_stack_restore(bottom + DATA_STACK);
}

// Reads and writes go straight between the descriptor and PHP's memory, in pieces as large as PHP asks for.
function wire(FS) {
	const refuse = (error) => new FS.ErrnoError(ERRNO[error.code] ?? ERRNO.EIO);
	return {
		read(_stream, memory, offset, length) {
			try {
				return patiently(() => fs.readSync(WIRE_FD, memory, offset, length, null));
			} catch (error) {
				if (error.code === 'ECONNRESET') return 0;
				throw refuse(error);
			}
		},
		write(_stream, memory, offset, length) {
			try {
				writeAll(WIRE_FD, memory, offset, length);
				return length;
			} catch (error) {
				throw refuse(error);
			}
		},
	};
}

function writeAll(fd, bytes, offset, length) {
	for (const end = offset + length; offset < end; ) {
		offset += patiently(() => fs.writeSync(fd, bytes, offset, end - offset, null));
	}
}

// A descriptor that somebody left in non-blocking mode still works, at the price of sleeping.
function patiently(call) {
	for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
		try {
			return call();
		} catch (error) {
			if (error.code !== 'EAGAIN') throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
		}
	}
}

// Prints at once. Node's own streams would wait for an event loop that does not turn while PHP runs.
function say(fd, chunk) {
	const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
	try {
		writeAll(fd, bytes, 0, bytes.length);
	} catch {
		// Nobody listens. PHP goes on, as it does natively with a closed stdout.
	}
}

function fail(message) {
	say(2, `phpwire wasm: ${message}\n`);
	process.exit(EXIT_USAGE);
}

function crash(error) {
	const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	say(2, `phpwire wasm: PHP crashed: ${what.replaceAll('\n', ' ')}\n`);
	process.exit(EXIT_CRASH);
}
