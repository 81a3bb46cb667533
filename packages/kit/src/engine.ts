export type { FlushOptions, ObjectChanges } from "./engine/save/object-changes.ts";
export { ObjectSaver } from "./engine/save/object-saver.ts";
export type { ObjectSaverOptions } from "./engine/save/object-saver.ts";
