import { sameJson } from "@capstan/schema";
import type { Rbac } from "../auth/rbac.ts";
import { listOf, specOf, statusOf, textOf } from "../values/object-parts.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/extension.ts";
import { forbidden } from "../model/status-error.ts";

const group = "certificates.k8s.io";

/** What a change of a CertificateSigningRequest amounts to; `undefined` for one that decides nothing. */
const decision = ({ subresource, object, oldObject }: AdmissionRequest): "approve" | "sign" | undefined => {
  if (subresource === "approval") {
    return "approve";
  }
  const decided = (of: typeof object): unknown => {
    const { certificate, conditions } = statusOf(of ?? { apiVersion: "", kind: "", metadata: {} });
    return [textOf(certificate), listOf(conditions)];
  };
  return subresource === "status" && !sameJson(decided(object), decided(oldObject)) ? "sign" : undefined;
};

/** To approve or sign for a signer takes the verb `approve` or `sign` on it. */
export const certificateApproval = (rbac: Rbac): AdmissionPlugin => ({
  name: "CertificateApproval",
  validate: async (request) => {
    const { definition, operation, oldObject, user, name } = request;
    const isRequest = definition.group === group && definition.plural === "certificatesigningrequests";
    const verb = isRequest && operation === "UPDATE" ? decision(request) : undefined;
    if (verb === undefined || oldObject === undefined) {
      return;
    }
    const signerName = textOf(specOf(oldObject)["signerName"]);
    const allowed = [signerName, `${signerName.split("/")[0]}/*`].some((signer) => {
      const about = { version: "*", resource: "signers", subresource: "", namespace: "", name: signer };
      return rbac.allows(user, { verb, path: "", isResource: true, group, ...about }) !== undefined;
    });
    if (!allowed) {
      throw forbidden(
        definition,
        name,
        `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`,
      );
    }
  },
});
