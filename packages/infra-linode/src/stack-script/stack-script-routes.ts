import type { BootstrapData, DeliveryRoute, UserData } from "@capstan/contract/v1";
import { bootstrapFormats } from "@capstan/contract/wire";
import { deliveryRecordOf, storePointer, userDataOf } from "@capstan/kit/delivery";
import type { KubeObject } from "@capstan/schema";
import { stackScriptData } from "./stack-script.ts";
import type { InstanceData } from "./stack-script.ts";

/** The API counts the characters of a script's whole data as JSON, and takes so many less one. */
const limitBytes = 65_536;

const names = { whole: "stackscript", pointer: "stackscript-object-store" } as const;

/** The script feeds cloud-init: Ignition has no use for it. */
const formats = [bootstrapFormats.cloudConfig];

/** The routes where there is no metadata service: the original bytes by the StackScript, else a pointer by it. */
export const stackScriptRoutes = (instance: InstanceData) => {
  const measure = ({ bytes }: BootstrapData): number => JSON.stringify(stackScriptData(instance, bytes)).length;
  const whole: DeliveryRoute<typeof names.whole, UserData> = {
    name: names.whole,
    formats,
    limitBytes,
    measure,
    deliver: ({ bytes }) => userDataOf(bytes),
  };
  return [whole, { ...storePointer({ limitBytes, measure }), name: names.pointer, formats }] as const;
};

/** Returns whether the data of an object went to the metadata service, as far as anything is known of it. */
export const hadMetadata = (object: KubeObject): boolean => {
  const route = deliveryRecordOf(object)?.route;
  return route !== names.whole && route !== names.pointer;
};
