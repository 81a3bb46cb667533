import type { DocumentOutput } from "../document-output.ts";

/** A request of `capstan bundle`. */
export type BundleRequest =
  | {
      readonly action: "build";
      readonly variants: readonly BundleFolder[];
      readonly to: string;
      readonly tag: string;
    }
  | {
      readonly action: "inspect";
      /** A folder, or an image. */
      readonly place: string;
      readonly keys: readonly string[];
      readonly authFile: string | undefined;
      readonly output: DocumentOutput;
    }
  | {
      readonly action: "sign";
      readonly layout: string;
      readonly key: string;
      readonly passphraseFile: string | undefined;
    }
  | {
      readonly action: "push";
      readonly layout: string;
      readonly image: string;
      readonly authFile: string | undefined;
    };

/** A folder with what one platform gets. */
export interface BundleFolder {
  readonly folder: string;
  readonly architecture: string;
  readonly osIds: readonly string[];
}
