import type { Cause } from "@capstan/schema";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { checkImageFormat } from "./image-format.ts";

const defaultFormat = "{{.BaseRegistry}}/{{.OSDistro}}-{{.OSVersion}}:{{.KubernetesVersion}}.gz";
const ubuntuVersion = "20.04";

/** A cluster with the lookup of images complete. */
export const defaultedCluster = (object: TinkerbellCluster): TinkerbellCluster => {
  // The schema's own defaults are not there yet.
  const spec: Partial<NonNullable<TinkerbellCluster["spec"]>> = object.spec ?? {};
  const { imageLookupFormat = "", imageLookupOSDistro = "", imageLookupOSVersion = "" } = spec;
  const isUbuntu = ["", "ubuntu"].includes(imageLookupOSDistro.toLowerCase());
  if (imageLookupFormat !== "" && (imageLookupOSVersion !== "" || !isUbuntu)) return object;
  const complete = {
    ...spec,
    ...(imageLookupFormat === "" && { imageLookupFormat: defaultFormat }),
    ...(imageLookupOSVersion === "" && isUbuntu && { imageLookupOSVersion: ubuntuVersion }),
  };
  return { ...object, spec: complete as NonNullable<TinkerbellCluster["spec"]> };
};

/** Returns the problems of a cluster. */
export const checkCluster = ({ spec }: TinkerbellCluster): readonly Cause[] =>
  checkImageFormat(spec?.imageLookupFormat, "spec.imageLookupFormat");
