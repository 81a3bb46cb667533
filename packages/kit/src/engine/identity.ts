import type { EpochMark } from "./installation.ts";
import type { Owner } from "./owner.ts";

/** Who an object is to the outside world. Look up by `tag` before creating anything. */
export interface Identity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `capstan-uid=<uid>` style value that a cloud stores with the resource; at most 64 characters of `[A-Za-z0-9:_=.-]`. */
  readonly tag: string;
  /** The same for clouds whose tags have a key and a value. */
  readonly label: { readonly key: string; readonly value: string };
  readonly clusterName: string;
  /** The object as an owner of cloud resources, which it stays when it is moved or restored: its uid, tag and label do not. */
  readonly owner: Owner;
  /**
   * The mark of the installation that manages the object: put it on what is made, beside `tag` or `label`. A restored copy of the installation
   * has a newer one, by which the older one knows that it has to stop. `undefined`: the manager does not know who it is.
   */
  readonly epoch?: EpochMark;
}
