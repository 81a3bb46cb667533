import type { KubeObject } from "@capstan/schema";

/** One object that is to be there, and where it stands: `file:line`. */
export interface ManifestObject {
  readonly object: KubeObject;
  readonly source: string;
  /** The place of the field that a message about the object names, as `source`. Default: `source` says it. */
  readonly placeOf?: (message: string) => Promise<string>;
}

/** What a source holds now. */
export interface Manifests {
  readonly objects: readonly ManifestObject[];
  /** Parts that could not be read; their former objects stay as they are, and nothing is removed. */
  readonly problems: readonly { readonly source: string; readonly message: string }[];
}

/** Where manifests come from: a folder, a repository. */
export interface ManifestSource {
  read(): Manifests;
  /** Calls the listener after every change; returns the function that stops it. */
  watch(listener: () => void): () => void;
}
