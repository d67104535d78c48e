import phpUnserialize from 'phpunserialize';
import { serve, utf8 } from '../javascript/port.mjs';

serve({
  hello: { name: 'phpunserialize', version: '1.3.0' },
  text: utf8,
  unserialize: (payload) => phpUnserialize(utf8.fromBytes(payload)),
});
