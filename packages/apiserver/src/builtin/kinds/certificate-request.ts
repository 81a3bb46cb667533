import { requestSubject } from "@capstan/pki/requests";
import type { KubeObject } from "@capstan/schema";
import { forbidden as refused } from "../../model/status-error.ts";
import { specOf, statusOf, withSpec } from "../../values/object-parts.ts";
import {
  certificateCauses,
  conditionsOf,
  newRequestCauses,
  pemOf,
  requestCauses,
  requestConditionCauses,
  requestUpdateCauses,
} from "../validation/certificate-request.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const names = { group: "certificates.k8s.io", plural: "certificatesigningrequests", kind: "CertificateSigningRequest" };

const clientSigner = "kubernetes.io/kube-apiserver-client";

const mastersGroup = "system:masters";

/** No one gets a certificate for the group that may do everything by asking. */
const checkSubject = (object: KubeObject): void => {
  const { request, signerName } = specOf(object);
  const isMaster = (): boolean => requestSubject(pemOf(request)).organizations.includes(mastersGroup);
  if (signerName === clientSigner && requestCauses(request).length === 0 && isMaster()) {
    throw refused(
      names,
      object.metadata.name ?? "",
      `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`,
    );
  }
};

/** CertificateSigningRequests: the requester is recorded, decisions go through a subresource of their own. No one signs here. */
export const certificateRequests: KindBehaviour = {
  selectableFields: { "spec.signerName": (object) => String(specOf(object)["signerName"] ?? "") },
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object, { user }) => {
      checkSubject(object);
      return withSpec(
        { ...object, status: {} },
        {
          username: user.name,
          groups: user.groups,
          ...(user.uid === undefined ? {} : { uid: user.uid }),
          ...(user.extra === undefined ? {} : { extra: user.extra }),
        },
      );
    },
    prepareForUpdate: (object, old) => ({ ...object, spec: old["spec"] }),
    validate: newRequestCauses,
    validateUpdate: (object, old, _context, subresource) => [
      ...requestConditionCauses(object),
      ...certificateCauses(statusOf(object)["certificate"]),
      ...requestUpdateCauses(object, old, subresource),
    ],
  },
  subresources: [
    {
      name: "approval",
      verbs: ["get", "patch", "update"],
      behaviour: {
        type: "part",
        take: (body, stored) => ({ ...stored, status: { ...statusOf(stored), conditions: conditionsOf(body) } }),
      },
    },
    statusSubresource,
  ],
};
