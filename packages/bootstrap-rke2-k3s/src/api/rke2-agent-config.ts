import {
  enumOf,
  flagField,
  integer,
  mapField,
  object,
  objectReference,
  optional,
  textField,
  textsField,
} from "@capstan/schema";
import { documentFields } from "./pipeline-fields.ts";
import { component } from "./rke2-component.ts";

/** Fields for servers and agents. */
export const rke2AgentConfig = () =>
  object(
    {
      ...documentFields(),
      airGapped: flagField("Whether RKE2 is installed from files of the image."),
      airGappedChecksum: textField("SHA-256 that those files must have."),
      cisProfile: optional(
        enumOf(["cis", "cis-1.23", "cis-1.5", "cis-1.6"], { description: "CIS profile to check against." }),
      ),
      containerRuntimeEndpoint: textField("Socket of a container runtime instead of the built-in containerd."),
      dataDir: textField("Directory of the data; /var/lib/rancher/rke2 when unset."),
      enableContainerdSElinux: flagField("Whether containerd uses SELinux."),
      imageCredentialProviderConfigMap: optional(
        objectReference({
          description:
            "ConfigMap with credential-config.yaml and credential-provider-binaries, the directory of the programs.",
        }),
      ),
      kubeProxy: component("The kube-proxy."),
      kubelet: component("The kubelet."),
      kubeletPath: textField("Path of a kubelet instead of RKE2's."),
      loadBalancerPort: optional(integer({ description: "Port of the agent's load balancer; 6444 when unset." })),
      nodeAnnotations: mapField("Annotations of control-plane Nodes.", "Value of the annotation."),
      nodeLabels: textsField("Labels of the Node.", "key=value."),
      nodeName: textField("Name of the Node, with a Jinja expression such as {{ ds.meta_data.label }}."),
      nodeTaints: textsField("Taints of the Node.", "key=value:Effect."),
      podSecurityAdmissionConfigFile: textField("Path of the configuration of pod security admission."),
      protectKernelDefaults: flagField("Whether the kubelet refuses kernel settings that it would change."),
      resolvConf: optional(objectReference({ description: "ConfigMap with resolv.conf." })),
      runtimeImage: textField("Image with containerd and the kubelet."),
      snapshotter: textField("Snapshotter of containerd."),
      systemDefaultRegistry: textField("Registry of all system images."),
    },
    { description: "What servers and agents have." },
  );
