// The functions configure zod's English messages when they start: tests of single modules get the same messages.

import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

z.config(english());
