import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import { conditions, int32, kind, object, optional } from "@capstan/schema";
import type { SlowCloud } from "./slow-cloud.ts";

/** A thing of a cloud that fits no role. */
export const Volume = kind({
  group: "storage.example.dev",
  version: "v1",
  kind: "Volume",
  plural: "volumes",
  description: "A volume in a cloud.",
  spec: object({ size: int32({ description: "Its size.", minimum: 1 }) }),
  status: object({
    size: optional(int32({ description: "The size it has." })),
    conditions: optional(conditions({ maxItems: 8 })),
  }),
});
export type Volume = typeof Volume.Type;

/** The size that a volume had when it was as it should be. */
export const sizeAnnotation = "storage.example.dev/size";

const { absent, pending, present } = observations();

/** Volumes that are made, grown and destroyed by operations. */
export const createVolumeProvider = (cloud: SlowCloud): ProviderV1 =>
  defineProvider({
    name: "infra-volumes",
    kinds: [Volume],
    register: (host) =>
      host.add(
        managedObject<Volume, SlowCloud>({
          kind: Volume,
          noun: "the volume",
          finalizer: "storage.example.dev/volume",
          ownAnnotations: [sizeAnnotation],
          connect: () => cloud,
          observe: async ({ api, identity, object: { spec } }) => {
            const size = await api.find(identity.tag);
            if (size === undefined) return absent();
            const status = { size };
            const annotations = { [sizeAnnotation]: String(size) };
            return size === spec.size
              ? present({ status, annotations })
              : pending({ status, reason: "TooSmall", step: "grow" });
          },
          create: ({ api, identity, object: { spec }, operations }) =>
            operations.start("volume", () => api.make(identity.tag, spec.size)),
          steps: {
            grow: ({ api, identity, object: { spec }, operations }) =>
              operations.start("volume", () => api.make(identity.tag, spec.size)),
          },
          remove: ({ api, handle, operations }) => operations.start("volume", () => api.destroy(handle)),
          operations: { poll: ({ api, operation }) => api.poll(operation.handle), pollMs: 10_000 },
          stages: () => [{ name: "making", reasons: ["Creating"] }],
        }),
      ),
  });
