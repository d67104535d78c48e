import { createRequire } from 'node:module';
import { serve, utf8 } from '../javascript/port.mjs';

const require = createRequire(import.meta.url);
const { serialize } = require('locutus/php/var/serialize');
const { unserialize } = require('locutus/php/var/unserialize');

serve({
  hello: { name: 'locutus', version: '3.0.36' },
  text: utf8,
  unserialize: (payload) => unserialize(utf8.fromBytes(payload), 'throw'), // else it returns false for a fault
  serialize,
});
