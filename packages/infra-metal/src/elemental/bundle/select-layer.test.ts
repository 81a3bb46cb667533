import { expect, it } from "vitest";
import { digestOf } from "./digest.ts";
import { selectLayer } from "./select-layer.ts";

const layerOf = (...mediaTypes: readonly string[]) => {
  const layers = mediaTypes.map((mediaType) => ({ mediaType, digest: `sha256:${"0".repeat(64)}`, size: 1 }));
  const manifest = { schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", layers };
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(manifest)));
  const digest = digestOf(bytes);
  return selectLayer(digest, new Map([[digest, bytes]]), { architecture: "amd64", osIds: [] });
};

const oci = "application/vnd.oci.image.layer.v1.tar";

it.each([
  oci,
  `${oci}+gzip`,
  `${oci}+zstd`,
  "application/vnd.docker.image.rootfs.diff.tar.gzip",
  "application/vnd.docker.image.rootfs.diff.tar.zstd",
])("takes a layer %s", (mediaType) => {
  expect(layerOf(mediaType, "application/vnd.example.readme").mediaType).toBe(mediaType);
});

it.each([`${oci}+xz`, "application/vnd.docker.image.rootfs.diff.tar.bzip2"])("names a layer %s", (mediaType) => {
  expect(() => layerOf(mediaType)).toThrow(
    `its layer has the media type ${mediaType}; make it tar, tar+gzip or tar+zstd`,
  );
});
