import { createHash } from "node:crypto";
import { bundleError } from "../../bundle/bundle-errors.ts";
import { wrongDigest } from "../../bundle/describe-bundle.ts";
import type { Descriptor } from "../../bundle/documents.ts";
import type { HostFiles } from "../host-system.ts";
import type { ReadBlob } from "./ordered-bundle.ts";

/** Largest archive of a bundle. */
const maxArchiveBytes = 4 * 2 ** 30;

/** At most so many bytes, and the error that says that there were more. */
async function* limited(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const part of source) {
    left -= part.length;
    if (left < 0) throw bundleError("verification_failed", "its archive is larger than its manifest says");
    yield part;
  }
}

const digestOfFile = async (files: HostFiles, path: string): Promise<string> => {
  const hash = createHash("sha256");
  for await (const part of files.stream(path)) hash.update(part);
  return `sha256:${hash.digest("hex")}`;
};

/**
 * Has the archive of a bundle in a file, whole and with its digest. What is there from an earlier time is gone on with. Throws
 * `elemental.bundle_*`, `elemental.unreachable`.
 */
export const download = async (
  layer: Descriptor,
  { files, path, readBlob }: { readonly files: HostFiles; readonly path: string; readonly readBlob: ReadBlob },
): Promise<void> => {
  if (layer.size > maxArchiveBytes) {
    throw bundleError("verification_failed", `its archive has more than ${maxArchiveBytes} bytes`);
  }
  const present = (await files.size(path)) ?? 0;
  if (present > layer.size) await files.remove(path);
  const offset = present > layer.size ? 0 : present;
  if (offset < layer.size) {
    const { body, from } = await readBlob(layer.digest, offset);
    if (from === 0) await files.write(path, limited(body, layer.size));
    else await files.append(path, limited(body, layer.size - from));
  }
  const found = await digestOfFile(files, path);
  if (found === layer.digest) return;
  // Nothing of it can be trusted; the next try starts over.
  await files.remove(path);
  throw wrongDigest("archive", layer.digest, found);
};
