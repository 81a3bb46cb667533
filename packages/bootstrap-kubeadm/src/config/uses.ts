import { Group } from "@capstan/contract";
import type { BootstrapContext } from "@capstan/kit/bootstrap";
import { ofAnyKind } from "@capstan/kit/engine";
import type { KubeadmConfig } from "../api/kubeadm-config.v1beta2.ts";

/** The Cluster's control plane may be of any kind: templates in files ask for its version. */
export const uses = { controlPlane: ofAnyKind({ groups: [Group.controlPlane] }) };

export type Context = BootstrapContext<KubeadmConfig, typeof uses>;
