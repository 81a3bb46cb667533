export { multipart } from "./render/multipart.ts";
export type { DocumentPart } from "./render/multipart.ts";
