import { converterTable } from "@capstan/kit/admission";
import * as api from "../api.ts";
import { kthreesControlPlaneShape } from "./kthrees.ts";
import { rke2ControlPlaneShape, rke2ControlPlaneTemplateShape } from "./rke2.ts";

/** Converts the kinds between v1beta1 and v1beta2, by the names of their definitions. */
export const converters = converterTable([
  { older: api.RKE2ControlPlaneV1Beta1, newer: api.RKE2ControlPlane, shape: rke2ControlPlaneShape },
  {
    older: api.RKE2ControlPlaneTemplateV1Beta1,
    newer: api.RKE2ControlPlaneTemplate,
    shape: rke2ControlPlaneTemplateShape,
  },
  { older: api.KThreesControlPlaneV1Beta1, newer: api.KThreesControlPlane, shape: kthreesControlPlaneShape },
]);
