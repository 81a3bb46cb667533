import { describeObject } from "@capstan/contract/wire";
import { isCapstanError } from "@capstan/contract";
import type { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import type { ElementalMachine } from "../api/elemental-machine.v1beta1.ts";
import { bundleError } from "../bundle/bundle-errors.ts";
import { parseImageReference } from "../bundle/image-reference.ts";
import { elementalError } from "../errors.ts";

type HostComponents = NonNullable<NonNullable<ElementalHost["spec"]>["components"]>;

/** Components that a machine asks for; `componentsBundle` is short for `components.image`. */
export type AskedComponents = Omit<HostComponents, "digest"> & { readonly digest?: string | undefined };

export interface MachineRole {
  readonly controlPlane: boolean;
  readonly version: string | undefined;
}

/** The bundle that a machine asks for; `undefined`: none. */
export const askedComponents = (
  { spec = {} }: ElementalMachine,
  { controlPlane, version }: MachineRole,
): AskedComponents | undefined => {
  const { components, componentsBundle } = spec;
  const { digest, image = componentsBundle, ...more } = components ?? {};
  if (image === undefined) return undefined;
  return {
    delivery: "served",
    ...more,
    image,
    digest: digest ?? parseImageReference(image)?.digest,
    role: controlPlane ? "control-plane" : "worker",
    ...(version === undefined ? {} : { kubernetesVersion: version }),
  };
};

/** Returns the components to set on the host; `undefined`: the digest is not known yet. The digest first found for an image is kept. */
export const toldComponents = (asked: AskedComponents, host: ElementalHost): HostComponents | undefined => {
  const told = host.spec?.components;
  const digest = asked.digest ?? (told?.image === asked.image ? told.digest : undefined);
  return digest === undefined ? undefined : { ...asked, digest };
};

/** Finds the digest of an image. Throws `elemental.bundle_*`, `elemental.unreachable`, naming object and field. */
export const resolved = async (
  asked: AskedComponents,
  machine: ElementalMachine,
  resolve: (image: string) => Promise<string>,
): Promise<HostComponents> => {
  const field = machine.spec?.components === undefined ? "spec.componentsBundle" : "spec.components.image";
  try {
    return { ...asked, digest: asked.digest ?? (await resolve(asked.image)) };
  } catch (error) {
    if (!isCapstanError(error) || !error.code.startsWith("elemental.")) throw error;
    const message = `${describeObject(machine)}: ${field} ${asked.image}: ${error.message}; correct the reference, or put the bundle there`;
    if (error.code === "elemental.unreachable") throw bundleError("download_failed", message, error);
    throw elementalError({
      code: error.code,
      reason: error.reason,
      retry: error.retry,
      message,
      cause: error,
    });
  }
};
