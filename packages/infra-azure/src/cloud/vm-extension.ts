import { presentFields } from "@capstan/kube-values";
import { childRef } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { ResourceBody } from "./azure-api.ts";

/** An extension that is to be installed in a machine. */
export interface DesiredExtension {
  readonly name: string;
  readonly publisher: string;
  /** Azure allows one of each type. */
  readonly type: string;
  readonly version: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** No one reads them again. */
  readonly protectedSettings?: Readonly<Record<string, unknown>>;
}

/** An extension of a virtual machine. */
export const extensionRef = (vm: ResourceRef, name: string): ResourceRef => childRef(vm, "extensions", name);

/** The body of an extension. */
export const extensionBody = (location: string, extension: DesiredExtension): ResourceBody => {
  const { protectedSettings, publisher, settings, type, version: typeHandlerVersion } = extension;
  return { location, properties: presentFields({ publisher, type, typeHandlerVersion, settings, protectedSettings }) };
};
