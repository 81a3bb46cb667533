import { translateButane, type Translation } from "./butane.ts";
import { translateContainerLinux } from "./container-linux.ts";

/** A config for people as one for Ignition: Butane, which names its variant, or else a Container Linux Config. */
export const translateConfig = (text: string): Translation =>
  /^variant\s*:/m.test(text) ? translateButane(text) : translateContainerLinux(text);
