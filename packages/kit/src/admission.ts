export { forbidden, invalid, required, tooLong, unchanged } from "./admission/causes.ts";
