import type { ControllerV1 } from "@capstan/contract/v1";
import type { Resource } from "@capstan/schema";
import { ElementalCluster, ElementalClusterTemplate } from "./api/elemental-cluster.v1beta1.ts";
import { ElementalHost } from "./api/elemental-host.v1beta1.ts";
import { ElementalMachine, ElementalMachineTemplate } from "./api/elemental-machine.v1beta1.ts";
import { ElementalRegistration } from "./api/elemental-registration.v1beta1.ts";
import { elementalCluster } from "./cluster/elemental-cluster.ts";
import { elementalHost } from "./host/elemental-host.ts";
import { httpRequests, type Requests } from "./http/requests.ts";
import { elementalMachine } from "./machine/elemental-machine.ts";
import type { ElementalOptions } from "./options.ts";
import { bootMediaAt } from "./registration/boot-media.ts";
import { elementalRegistration } from "./registration/elemental-registration.ts";
import { apiCertificate, elementalApi } from "./server/serve-api.ts";
import { bundleError } from "./bundle/bundle-errors.ts";
import { digestOf } from "./bundle/digest.ts";
import { readDocument } from "./bundle/documents.ts";
import { imageReference } from "./bundle/image-reference.ts";
import { registrySource } from "./bundle/registry-client.ts";

/** The digest that an image reference means now. Throws `elemental.bundle_*`, `elemental.unreachable`. */
const resolveBundle = async (image: string, requests: Requests, signal: AbortSignal): Promise<string> => {
  const reference = imageReference(image);
  if (reference.digest !== undefined) return reference.digest;
  const { registry, repository, tag = "latest" } = reference;
  const bytes = await registrySource(reference, requests, signal).document(tag);
  if (bytes === undefined) throw bundleError("download_failed", `the registry ${registry} has no ${repository}:${tag}`);
  readDocument(bytes);
  return digestOf(bytes);
};

/** The kinds of Elemental. */
export const elementalKinds: readonly Resource[] = [
  ElementalCluster,
  ElementalClusterTemplate,
  ElementalHost,
  ElementalMachine,
  ElementalMachineTemplate,
  ElementalRegistration,
];

/** What runs for the kinds of Elemental: their controllers, and the API that hosts speak. */
export const elementalControllers = (options: ElementalOptions): readonly ControllerV1[] => {
  const requests = httpRequests({ authority: options.registryAuthority, trustsPublic: true });
  return [
    elementalCluster(),
    elementalHost(),
    elementalMachine({ resolve: (image, signal) => resolveBundle(image, requests, signal) }),
    elementalRegistration({
      ...options,
      ...(options.bootMedia !== undefined && { media: bootMediaAt(options.bootMedia.url, requests) }),
      authority: async (environment) => options.authority ?? apiCertificate(options, environment).authority(),
    }),
    elementalApi(options),
  ];
};
