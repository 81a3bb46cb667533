import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { imageAddress } from "../image/image-address.ts";

/** For which any format that can be used has an address. */
const sample = { BaseRegistry: "registry", OSDistro: "distro", OSVersion: "1", KubernetesVersion: "v1.0.0" };

/** A format has to be a template that says nothing but what is known of an image. */
export const checkImageFormat = (format: string | undefined, field: string): readonly Cause[] => {
  const found = imageAddress(format ?? "", sample);
  return "address" in found ? [] : [invalid(field, format, found.problem)];
};
