import php from 'php-unserialize';
import { serve, utf8 } from '../javascript/port.mjs';

serve({
  hello: { name: 'php-unserialize', version: '0.0.1' },
  text: utf8,
  unserialize: (payload) => php.unserialize(utf8.fromBytes(payload)),
});
