import type { DiskBase } from "../boot/disk.ts";
import { baseDisk } from "./base-disk.ts";
import { findImage } from "./find-image.ts";
import type { GuestImage } from "./guest-image.ts";

/** An image with its disk. */
export interface FoundImage {
  readonly image: GuestImage;
  readonly isKnown: boolean;
  readonly base: DiskBase;
}

/** The images that the machines of one host are made from; machines of one image have its disk in common. */
export class Images {
  readonly #more: readonly GuestImage[];
  readonly #found = new Map<string, FoundImage>();

  /** Those given are looked at before those that the model knows. */
  constructor(more: readonly GuestImage[]) {
    this.#more = more;
  }

  /** By what its cloud calls it. */
  get(name: string): FoundImage {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const { image, isKnown } = findImage(name, this.#more);
    const found = { image, isKnown, base: baseDisk(image) };
    this.#found.set(name, found);
    return found;
  }
}
