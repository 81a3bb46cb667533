import type { ValidationCase } from "./validation-case.ts";
import { secured, containerSecured } from "./validation-objects.ts";

/** Security contexts: what a kube-apiserver says about new ones. */
export const securityCases: readonly ValidationCase[] = [
  [
    "Pod security: suppl",
    ...secured({ supplementalGroups: [1, -1] }),
    ["Invalid spec.securityContext.supplementalGroups[1]"],
  ],
  [
    "Pod security: fsgroup policy",
    ...secured({ fsGroupChangePolicy: "Foo" }),
    ["NotSupported spec.securityContext.fsGroupChangePolicy"],
  ],
  [
    "Pod security: selinux policy",
    ...secured({ seLinuxChangePolicy: "Foo" }),
    ["NotSupported spec.securityContext.seLinuxChangePolicy"],
  ],
  [
    "Pod security: suppl policy",
    ...secured({ supplementalGroupsPolicy: "Foo" }),
    ["NotSupported spec.securityContext.supplementalGroupsPolicy"],
  ],
  [
    "Pod security: sysctl dup",
    ...secured({
      sysctls: [
        { name: "kernel.shm_rmid_forced", value: "1" },
        { name: "kernel.shm_rmid_forced", value: "1" },
      ],
    }),
    ["Duplicate spec.securityContext.sysctls[1].name"],
  ],
  [
    "Pod security: sysctl long",
    ...secured({ sysctls: [{ name: "k".repeat(254), value: "1" }] }),
    ["Invalid spec.securityContext.sysctls[0].name"],
  ],
  [
    "Pod security: sysctl empty",
    ...secured({ sysctls: [{ name: "", value: "1" }] }),
    ["Required spec.securityContext.sysctls[0].name"],
  ],
  ["Pod security: sysctl slash", ...secured({ sysctls: [{ name: "net/ipv4/conf", value: "1" }] }), []],
  [
    "Pod security: seccomp no type",
    ...secured({ seccompProfile: {} }),
    ["Required spec.securityContext.seccompProfile.type"],
  ],
  [
    "Pod security: seccomp profile without localhost",
    ...secured({ seccompProfile: { type: "RuntimeDefault", localhostProfile: "a" } }),
    ["Invalid spec.securityContext.seccompProfile.localhostProfile"],
  ],
  [
    "Pod security: seccomp profile abs",
    ...secured({ seccompProfile: { type: "Localhost", localhostProfile: "/a" } }),
    ["Invalid spec.securityContext.seccompProfile.localhostProfile"],
  ],
  [
    "Pod security: apparmor type",
    ...secured({ appArmorProfile: { type: "Foo" } }),
    ["NotSupported spec.securityContext.appArmorProfile.type"],
  ],
  [
    "Pod security: apparmor localhost",
    ...secured({ appArmorProfile: { type: "Localhost" } }),
    ["Required spec.securityContext.appArmorProfile.localhostProfile"],
  ],
  [
    "Pod security: apparmor profile",
    ...secured({ appArmorProfile: { type: "RuntimeDefault", localhostProfile: "a" } }),
    ["Invalid spec.securityContext.appArmorProfile.localhostProfile"],
  ],
  ["Pod security: windows", ...secured({ windowsOptions: { runAsUserName: "a" } }), []],
  ["Pod security: hostUsers", ...secured({}), []],
  [
    "container security: seccomp type",
    ...containerSecured({ seccompProfile: { type: "Foo" } }),
    ["NotSupported spec.containers[0].securityContext.seccompProfile.type"],
  ],
  [
    "container security: seccomp localhost",
    ...containerSecured({ seccompProfile: { type: "Localhost" } }),
    ["Required spec.containers[0].securityContext.seccompProfile.localhostProfile"],
  ],
  [
    "container security: apparmor",
    ...containerSecured({ appArmorProfile: { type: "Foo" } }),
    ["NotSupported spec.containers[0].securityContext.appArmorProfile.type"],
  ],
  [
    "container security: esc sysadmin",
    ...containerSecured({ allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] } }),
    ["Invalid spec.containers[0].securityContext"],
  ],
  [
    "container security: procMount",
    ...containerSecured({ procMount: "Foo" }),
    ["NotSupported spec.containers[0].securityContext.procMount"],
  ],
  [
    "container security: procMount unmasked",
    ...containerSecured({ procMount: "Unmasked" }),
    ["Invalid spec.containers[0].securityContext.procMount"],
  ],
  [
    "container security: group",
    ...containerSecured({ runAsGroup: -1 }),
    ["Invalid spec.containers[0].securityContext.runAsGroup"],
  ],
];
