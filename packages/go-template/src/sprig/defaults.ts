import { define, defineRest, type TemplateFunctions } from "../functions/define.ts";
import { deepEqual } from "../values/compare.ts";
import { isTrue, kindOf, typeOf } from "../values/kinds.ts";

/** Functions about values that may be missing, and about what values are. */
export const defaultFunctions: TemplateFunctions = {
  all: defineRest([], "any", (...values) => values.every(isTrue)),
  any: defineRest([], "any", (...values) => values.some(isTrue)),
  coalesce: defineRest([], "any", (...values) => values.find(isTrue) ?? null),
  deepEqual: define(["any", "any"], deepEqual),
  default: defineRest(["any"], "any", (otherwise, ...given) => (isTrue(given[0]) ? given[0] : otherwise)),
  empty: define(["any"], (value) => !isTrue(value)),
  fail: define(["string"], (message) => {
    throw new Error(message);
  }),
  kindIs: define(["string", "any"], (kind, value) => kindOf(value) === kind),
  kindOf: define(["any"], kindOf),
  ternary: define(["any", "any", "bool"], (yes, no, which) => (which ? yes : no)),
  typeIs: define(["string", "any"], (type, value) => typeOf(value) === type),
  typeIsLike: define(["string", "any"], (type, value) => typeOf(value) === type || typeOf(value) === `*${type}`),
  typeOf: define(["any"], typeOf),
};
