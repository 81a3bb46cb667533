import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { imageVariables, unknownVariables } from "../image/image-address.ts";

/** A format may say what is known of an image, and nothing else. */
export const checkImageFormat = (format: string | undefined, field: string): readonly Cause[] => {
  const unknown = unknownVariables(format ?? "");
  if (unknown.length === 0) return [];
  const known = imageVariables.map((name) => `{{.${name}}}`).join(", ");
  return [invalid(field, format, `${unknown.join(", ")} is not served; use ${known}`)];
};
