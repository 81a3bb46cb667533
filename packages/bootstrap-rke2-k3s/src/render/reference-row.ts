import type { Source } from "./node-input.ts";

/** One key of a referenced object. */
export interface ReferenceContent {
  /** The key in its data. */
  readonly data: string;
  /** True if it may be missing. */
  readonly optional?: true;
  /** Another key that has to be there with it. */
  readonly needs?: string;
  /** Key of config.yaml: the path of the file, or the content itself when there is none. */
  readonly key?: string;
  /** Where it is written. Below the data directory when it does not begin with a slash. */
  readonly file?: string;
  /** Default 0640. */
  readonly mode?: string;
  /** Returns the text to write instead of the content. */
  readonly write?: (content: Buffer, source: Source) => string;
}

/** A reference to a Secret or ConfigMap, and what becomes of its data. */
export interface ReferenceRow {
  /** Path of the reference, as in `Row`. */
  readonly from: string;
  readonly object: "configMap" | "secret";
  readonly only?: "servers";
  readonly contents: readonly ReferenceContent[];
}
