import { serialize, unserialize } from 'php-serialize';
import { binary, serve } from '../javascript/port.mjs';

serve({
  hello: { name: 'php-serialize', version: '5.1.3' },
  text: binary, // its option for bytes that are not text
  unserialize: (payload) => unserialize(payload, {}, { encoding: 'binary' }),
  serialize: (value) => serialize(value, {}, { encoding: 'binary' }),
});
