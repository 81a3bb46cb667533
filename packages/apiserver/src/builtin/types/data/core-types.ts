import type { TypeTable } from "../type-table.ts";

/** Types of core/v1 except volumes; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const coreTypes: TypeTable = {
  Affinity: "nodeAffinity 1 NodeAffinity; podAffinity 2 PodAffinity; podAntiAffinity 3 PodAntiAffinity",
  AppArmorProfile: "type 1 string required; localhostProfile 2 string?",
  Binding: "metadata 1 ObjectMeta; target 2 ObjectReference required",
  Capabilities: "add 1 [string]; drop 2 [string]",
  ClientIPConfig: "timeoutSeconds 1 int32?",
  ConfigMap: "metadata 1 ObjectMeta; immutable 4 bool?; data 2 {string}; binaryData 3 {bytes}",
  ConfigMapEnvSource: "... 1 LocalObjectReference; optional 2 bool?",
  ConfigMapKeySelector: "@atomic; ... 1 LocalObjectReference; key 2 string required; optional 3 bool?",
  ConfigMapNodeConfigSource:
    "namespace 1 string required; name 2 string required; uid 3 string; resourceVersion 4 string; kubeletConfigKey 5 string required",
  Container:
    "name 1 string required; image 2 string; command 3 [string]; args 4 [string]; workingDir 5 string; ports 6 [ContainerPort] map(containerPort,protocol) patch(merge:containerPort); envFrom 19 [EnvFromSource]; env 7 [EnvVar] map(name) patch(merge:name); resources 8 ResourceRequirements; resizePolicy 23 [ContainerResizePolicy]; restartPolicy 24 string?; restartPolicyRules 25 [ContainerRestartRule]; volumeMounts 9 [VolumeMount] map(mountPath) patch(merge:mountPath); volumeDevices 21 [VolumeDevice] map(devicePath) patch(merge:devicePath); livenessProbe 10 Probe; readinessProbe 11 Probe; startupProbe 22 Probe; lifecycle 12 Lifecycle; terminationMessagePath 13 string; terminationMessagePolicy 20 string; imagePullPolicy 14 string; securityContext 15 SecurityContext; stdin 16 bool; stdinOnce 17 bool; tty 18 bool",
  ContainerExtendedResourceRequest:
    "containerName 1 string required; resourceName 2 string required; requestName 3 string required",
  ContainerImage: "names 1 [string]; sizeBytes 2 int64",
  ContainerPort:
    'name 1 string; hostPort 2 int32; containerPort 3 int32 required; protocol 4 string default="TCP"; hostIP 5 string',
  ContainerResizePolicy: "resourceName 1 string required; restartPolicy 2 string required",
  ContainerRestartRule: "action 1 string required; exitCodes 2 ContainerRestartRuleOnExitCodes",
  ContainerRestartRuleOnExitCodes: "operator 1 string required; values 2 [int32] set",
  ContainerState:
    "waiting 1 ContainerStateWaiting; running 2 ContainerStateRunning; terminated 3 ContainerStateTerminated",
  ContainerStateRunning: "startedAt 1 Time",
  ContainerStateTerminated:
    "exitCode 1 int32 required; signal 2 int32; reason 3 string; message 4 string; startedAt 5 Time; finishedAt 6 Time; containerID 7 string",
  ContainerStateWaiting: "reason 1 string; message 2 string",
  ContainerStatus:
    "name 1 string required; state 2 ContainerState; lastState 3 ContainerState; ready 4 bool required; restartCount 5 int32 required; image 6 string required; imageID 7 string required; containerID 8 string; started 9 bool?; allocatedResources 10 {Quantity}; resources 11 ResourceRequirements; volumeMounts 12 [VolumeMountStatus] map(mountPath) patch(merge:mountPath); user 13 ContainerUser; allocatedResourcesStatus 14 [ResourceStatus] map(name) patch(merge:name); stopSignal 15 string?",
  ContainerUser: "linux 1 LinuxContainerUser",
  DaemonEndpoint: "Port 1 int32 required",
  EndpointAddress: "@atomic; ip 1 string required; hostname 3 string; nodeName 4 string?; targetRef 2 ObjectReference",
  EndpointPort: "@atomic; name 1 string; port 2 int32 required; protocol 3 string; appProtocol 4 string?",
  EndpointSubset: "addresses 1 [EndpointAddress]; notReadyAddresses 2 [EndpointAddress]; ports 3 [EndpointPort]",
  Endpoints: "metadata 1 ObjectMeta; subsets 2 [EndpointSubset]",
  EnvFromSource: "prefix 1 string; configMapRef 2 ConfigMapEnvSource; secretRef 3 SecretEnvSource",
  EnvVar: "name 1 string required; value 2 string; valueFrom 3 EnvVarSource",
  EnvVarSource:
    "fieldRef 1 ObjectFieldSelector; resourceFieldRef 2 ResourceFieldSelector; configMapKeyRef 3 ConfigMapKeySelector; secretKeyRef 4 SecretKeySelector; fileKeyRef 5 FileKeySelector",
  EphemeralContainer: "... 1 EphemeralContainerCommon; targetContainerName 2 string",
  EphemeralContainerCommon:
    "name 1 string; image 2 string; command 3 [string]; args 4 [string]; workingDir 5 string; ports 6 [ContainerPort]; envFrom 19 [EnvFromSource]; env 7 [EnvVar]; resources 8 ResourceRequirements; resizePolicy 23 [ContainerResizePolicy]; restartPolicy 24 string?; restartPolicyRules 25 [ContainerRestartRule]; volumeMounts 9 [VolumeMount]; volumeDevices 21 [VolumeDevice]; livenessProbe 10 Probe; readinessProbe 11 Probe; startupProbe 22 Probe; lifecycle 12 Lifecycle; terminationMessagePath 13 string; terminationMessagePolicy 20 string; imagePullPolicy 14 string; securityContext 15 SecurityContext; stdin 16 bool; stdinOnce 17 bool; tty 18 bool",
  Event:
    "metadata 1 ObjectMeta required; involvedObject 2 ObjectReference required; reason 3 string; message 4 string; source 5 EventSource; firstTimestamp 6 Time; lastTimestamp 7 Time; count 8 int32; type 9 string; eventTime 10 MicroTime; series 11 EventSeries; action 12 string; related 13 ObjectReference; reportingComponent 14 string; reportingInstance 15 string",
  EventSeries: "count 1 int32; lastObservedTime 2 MicroTime",
  EventSource: "component 1 string; host 2 string",
  ExecAction: "command 1 [string]",
  FileKeySelector:
    "@atomic; volumeName 1 string required; path 2 string required; key 3 string required; optional 4 bool?",
  GRPCAction: "port 1 int32 required; service 2 string?",
  HTTPGetAction:
    "path 1 string; port 2 IntOrString required; host 3 string; scheme 4 string; httpHeaders 5 [HTTPHeader]",
  HTTPHeader: "name 1 string required; value 2 string required",
  HostAlias: "ip 1 string required; hostnames 2 [string]",
  HostIP: "ip 1 string required",
  Lifecycle: "postStart 1 LifecycleHandler; preStop 2 LifecycleHandler; stopSignal 3 string?",
  LifecycleHandler: "exec 1 ExecAction; httpGet 2 HTTPGetAction; tcpSocket 3 TCPSocketAction; sleep 4 SleepAction",
  LimitRange: "metadata 1 ObjectMeta; spec 2 LimitRangeSpec",
  LimitRangeItem:
    "type 1 string required; max 2 {Quantity}; min 3 {Quantity}; default 4 {Quantity}; defaultRequest 5 {Quantity}; maxLimitRequestRatio 6 {Quantity}",
  LimitRangeSpec: "limits 1 [LimitRangeItem] required",
  LinuxContainerUser: "uid 1 int64 required; gid 2 int64 required; supplementalGroups 3 [int64]",
  LoadBalancerIngress: "ip 1 string; hostname 2 string; ipMode 3 string?; ports 4 [PortStatus]",
  LoadBalancerStatus: "ingress 1 [LoadBalancerIngress]",
  LocalObjectReference: "@atomic; name 1 string",
  Namespace: "metadata 1 ObjectMeta; spec 2 NamespaceSpec; status 3 NamespaceStatus",
  NamespaceCondition:
    "type 1 string required; status 2 string required; lastTransitionTime 4 Time; reason 5 string; message 6 string",
  NamespaceSpec: "finalizers 1 [string]",
  NamespaceStatus: "phase 1 string; conditions 2 [NamespaceCondition] map(type) patch(merge:type)",
  Node: "metadata 1 ObjectMeta; spec 2 NodeSpec; status 3 NodeStatus",
  NodeAddress: "type 1 string required; address 2 string required",
  NodeAffinity:
    "requiredDuringSchedulingIgnoredDuringExecution 1 NodeSelector; preferredDuringSchedulingIgnoredDuringExecution 2 [PreferredSchedulingTerm]",
  NodeAllocatableResourceClaimStatus:
    "resourceClaimName 1 string required; containers 2 [string] set; resources 3 {Quantity} required",
  NodeCondition:
    "type 1 string required; status 2 string required; lastHeartbeatTime 3 Time; lastTransitionTime 4 Time; reason 5 string; message 6 string",
  NodeConfigSource: "configMap 2 ConfigMapNodeConfigSource",
  NodeConfigStatus:
    "assigned 1 NodeConfigSource; active 2 NodeConfigSource; lastKnownGood 3 NodeConfigSource; error 4 string",
  NodeDaemonEndpoints: "kubeletEndpoint 1 DaemonEndpoint",
  NodeFeatures: "supplementalGroupsPolicy 1 bool?",
  NodeRuntimeHandler: "name 1 string; features 2 NodeRuntimeHandlerFeatures",
  NodeRuntimeHandlerFeatures: "recursiveReadOnlyMounts 1 bool?; userNamespaces 2 bool?",
  NodeSelector: "@atomic; nodeSelectorTerms 1 [NodeSelectorTerm] required",
  NodeSelectorRequirement: "key 1 string required; operator 2 string required; values 3 [string]",
  NodeSelectorTerm: "@atomic; matchExpressions 1 [NodeSelectorRequirement]; matchFields 2 [NodeSelectorRequirement]",
  NodeSpec:
    "podCIDR 1 string; podCIDRs 7 [string] set patch(merge); providerID 3 string; unschedulable 4 bool; taints 5 [Taint]; configSource 6 NodeConfigSource; externalID 2 string",
  NodeStatus:
    "capacity 1 {Quantity}; allocatable 2 {Quantity}; phase 3 string; conditions 4 [NodeCondition] map(type) patch(merge:type); addresses 5 [NodeAddress] map(type) patch(merge:type); daemonEndpoints 6 NodeDaemonEndpoints; nodeInfo 7 NodeSystemInfo; images 8 [ContainerImage]; volumesInUse 9 [string]; volumesAttached 10 [AttachedVolume]; config 11 NodeConfigStatus; runtimeHandlers 12 [NodeRuntimeHandler]; features 13 NodeFeatures; declaredFeatures 14 [string]",
  NodeSwapStatus: "capacity 1 int64?",
  NodeSystemInfo:
    "machineID 1 string required; systemUUID 2 string required; bootID 3 string required; kernelVersion 4 string required; osImage 5 string required; containerRuntimeVersion 6 string required; kubeletVersion 7 string required; kubeProxyVersion 8 string required; operatingSystem 9 string required; architecture 10 string required; swap 11 NodeSwapStatus",
  ObjectFieldSelector: "@atomic; apiVersion 1 string; fieldPath 2 string required",
  ObjectReference:
    "@atomic; kind 1 string; namespace 2 string; name 3 string; uid 4 string; apiVersion 5 string; resourceVersion 6 string; fieldPath 7 string",
  Pod: "metadata 1 ObjectMeta; spec 2 PodSpec; status 3 PodStatus",
  PodAffinity:
    "requiredDuringSchedulingIgnoredDuringExecution 1 [PodAffinityTerm]; preferredDuringSchedulingIgnoredDuringExecution 2 [WeightedPodAffinityTerm]",
  PodAffinityTerm:
    "labelSelector 1 LabelSelector; namespaces 2 [string]; topologyKey 3 string required; namespaceSelector 4 LabelSelector; matchLabelKeys 5 [string]; mismatchLabelKeys 6 [string]",
  PodAntiAffinity:
    "requiredDuringSchedulingIgnoredDuringExecution 1 [PodAffinityTerm]; preferredDuringSchedulingIgnoredDuringExecution 2 [WeightedPodAffinityTerm]",
  PodCondition:
    "type 1 string required; observedGeneration 7 int64; status 2 string required; lastProbeTime 3 Time; lastTransitionTime 4 Time; reason 5 string; message 6 string",
  PodDNSConfig: "nameservers 1 [string]; searches 2 [string]; options 3 [PodDNSConfigOption]",
  PodDNSConfigOption: "name 1 string; value 2 string?",
  PodExtendedResourceClaimStatus:
    "requestMappings 1 [ContainerExtendedResourceRequest] required; resourceClaimName 2 string required",
  PodIP: "ip 1 string required",
  PodOS: "name 1 string required",
  PodReadinessGate: "conditionType 1 string required",
  PodResourceClaim: "name 1 string required; resourceClaimName 3 string?; resourceClaimTemplateName 4 string?",
  PodResourceClaimStatus: "name 1 string required; resourceClaimName 2 string?",
  PodSchedulingGate: "name 1 string required",
  PodSchedulingGroup: "podGroupName 1 string?",
  PodSecurityContext:
    "seLinuxOptions 1 SELinuxOptions; windowsOptions 8 WindowsSecurityContextOptions; runAsUser 2 int64?; runAsGroup 6 int64?; runAsNonRoot 3 bool?; supplementalGroups 4 [int64]; supplementalGroupsPolicy 12 string?; fsGroup 5 int64?; sysctls 7 [Sysctl]; fsGroupChangePolicy 9 string?; seccompProfile 10 SeccompProfile; appArmorProfile 11 AppArmorProfile; seLinuxChangePolicy 13 string?",
  PodSpec:
    "volumes 1 [Volume] map(name) patch(merge,retainKeys:name); initContainers 20 [Container] map(name) patch(merge:name); containers 2 [Container] required map(name) patch(merge:name); ephemeralContainers 34 [EphemeralContainer] map(name) patch(merge:name); restartPolicy 3 string; terminationGracePeriodSeconds 4 int64?; activeDeadlineSeconds 5 int64?; dnsPolicy 6 string; nodeSelector 7 {string} atomic; serviceAccountName 8 string; serviceAccount 9 string; automountServiceAccountToken 21 bool?; nodeName 10 string; hostNetwork 11 bool; hostPID 12 bool; hostIPC 13 bool; shareProcessNamespace 27 bool?; securityContext 14 PodSecurityContext; imagePullSecrets 15 [LocalObjectReference] map(name) patch(merge:name); hostname 16 string; subdomain 17 string; affinity 18 Affinity; schedulerName 19 string; tolerations 22 [Toleration]; hostAliases 23 [HostAlias] map(ip) patch(merge:ip); priorityClassName 24 string; priority 25 int32?; dnsConfig 26 PodDNSConfig; readinessGates 28 [PodReadinessGate]; runtimeClassName 29 string?; enableServiceLinks 30 bool?; preemptionPolicy 31 string?; overhead 32 {Quantity}; topologySpreadConstraints 33 [TopologySpreadConstraint] map(topologyKey,whenUnsatisfiable) patch(merge:topologyKey); setHostnameAsFQDN 35 bool?; os 36 PodOS; hostUsers 37 bool?; schedulingGates 38 [PodSchedulingGate] map(name) patch(merge:name); resourceClaims 39 [PodResourceClaim] map(name) patch(merge,retainKeys:name); resources 40 ResourceRequirements; hostnameOverride 41 string?; schedulingGroup 43 PodSchedulingGroup",
  PodStatus:
    "observedGeneration 17 int64; phase 1 string; conditions 2 [PodCondition] map(type) patch(merge:type); message 3 string; reason 4 string; nominatedNodeName 11 string; hostIP 5 string; hostIPs 16 [HostIP] patch(merge:ip); podIP 6 string; podIPs 12 [PodIP] map(ip) patch(merge:ip); startTime 7 Time; initContainerStatuses 10 [ContainerStatus]; containerStatuses 8 [ContainerStatus]; qosClass 9 string; ephemeralContainerStatuses 13 [ContainerStatus]; resize 14 string; resourceClaimStatuses 15 [PodResourceClaimStatus] map(name) patch(merge,retainKeys:name); extendedResourceClaimStatus 18 PodExtendedResourceClaimStatus; allocatedResources 19 {Quantity}; resources 20 ResourceRequirements; nodeAllocatableResourceClaimStatuses 21 [NodeAllocatableResourceClaimStatus]",
  PodTemplate: "metadata 1 ObjectMeta; template 2 PodTemplateSpec",
  PodTemplateSpec: "metadata 1 ObjectMeta; spec 2 PodSpec",
  PortStatus: "port 1 int32 required; protocol 2 string required; error 3 string?",
  PreferredSchedulingTerm: "weight 1 int32 required; preference 2 NodeSelectorTerm required",
  Probe:
    "... 1 ProbeHandler; initialDelaySeconds 2 int32; timeoutSeconds 3 int32; periodSeconds 4 int32; successThreshold 5 int32; failureThreshold 6 int32; terminationGracePeriodSeconds 7 int64?",
  ProbeHandler: "exec 1 ExecAction; httpGet 2 HTTPGetAction; tcpSocket 3 TCPSocketAction; grpc 4 GRPCAction",
  ReplicationController:
    "metadata 1 ObjectMeta; spec 2 ReplicationControllerSpec; status 3 ReplicationControllerStatus",
  ReplicationControllerCondition:
    "type 1 string required; status 2 string required; lastTransitionTime 3 Time; reason 4 string; message 5 string",
  ReplicationControllerSpec:
    "replicas 1 int32? default=1; minReadySeconds 4 int32; selector 2 {string} atomic; template 3 PodTemplateSpec",
  ReplicationControllerStatus:
    "replicas 1 int32 required; fullyLabeledReplicas 2 int32; readyReplicas 4 int32; availableReplicas 5 int32; observedGeneration 3 int64; conditions 6 [ReplicationControllerCondition] map(type) patch(merge:type)",
  ResourceClaim: "name 1 string required; request 2 string",
  ResourceFieldSelector: "@atomic; containerName 1 string; resource 2 string required; divisor 3 Quantity",
  ResourceHealth: "resourceID 1 string required; health 2 string; message 6 string?",
  ResourceQuota: "metadata 1 ObjectMeta; spec 2 ResourceQuotaSpec; status 3 ResourceQuotaStatus",
  ResourceQuotaSpec: "hard 1 {Quantity}; scopes 2 [string]; scopeSelector 3 ScopeSelector",
  ResourceQuotaStatus: "hard 1 {Quantity}; used 2 {Quantity}",
  ResourceRequirements: "limits 1 {Quantity}; requests 2 {Quantity}; claims 3 [ResourceClaim] map(name)",
  ResourceStatus: "name 1 string required; resources 2 [ResourceHealth] map(resourceID)",
  SELinuxOptions: "user 1 string; role 2 string; type 3 string; level 4 string",
  ScopeSelector: "@atomic; matchExpressions 1 [ScopedResourceSelectorRequirement]",
  ScopedResourceSelectorRequirement: "scopeName 1 string required; operator 2 string required; values 3 [string]",
  SeccompProfile: "type 1 string required; localhostProfile 2 string?",
  Secret: "metadata 1 ObjectMeta; immutable 5 bool?; data 2 {bytes}; stringData 4 {string}; type 3 string",
  SecretEnvSource: "... 1 LocalObjectReference; optional 2 bool?",
  SecretKeySelector: "@atomic; ... 1 LocalObjectReference; key 2 string required; optional 3 bool?",
  SecretReference: "@atomic; name 1 string; namespace 2 string",
  SecurityContext:
    "capabilities 1 Capabilities; privileged 2 bool?; seLinuxOptions 3 SELinuxOptions; windowsOptions 10 WindowsSecurityContextOptions; runAsUser 4 int64?; runAsGroup 8 int64?; runAsNonRoot 5 bool?; readOnlyRootFilesystem 6 bool?; allowPrivilegeEscalation 7 bool?; procMount 9 string?; seccompProfile 11 SeccompProfile; appArmorProfile 12 AppArmorProfile",
  Service: "metadata 1 ObjectMeta; spec 2 ServiceSpec; status 3 ServiceStatus",
  ServiceAccount:
    "metadata 1 ObjectMeta; secrets 2 [ObjectReference] map(name) patch(merge:name); imagePullSecrets 3 [LocalObjectReference]; automountServiceAccountToken 4 bool?",
  ServicePort:
    'name 1 string; protocol 2 string default="TCP"; appProtocol 6 string?; port 3 int32 required; targetPort 4 IntOrString; nodePort 5 int32',
  ServiceSpec:
    "ports 1 [ServicePort] map(port,protocol) patch(merge:port); selector 2 {string} atomic; clusterIP 3 string; clusterIPs 18 [string]; type 4 string; externalIPs 5 [string]; sessionAffinity 7 string; loadBalancerIP 8 string; loadBalancerSourceRanges 9 [string]; externalName 10 string; externalTrafficPolicy 11 string; healthCheckNodePort 12 int32; publishNotReadyAddresses 13 bool; sessionAffinityConfig 14 SessionAffinityConfig; ipFamilies 19 [string]; ipFamilyPolicy 17 string?; allocateLoadBalancerNodePorts 20 bool?; loadBalancerClass 21 string?; internalTrafficPolicy 22 string?; trafficDistribution 23 string?",
  ServiceStatus: "loadBalancer 1 LoadBalancerStatus; conditions 2 [Condition] map(type) patch(merge:type)",
  SessionAffinityConfig: "clientIP 1 ClientIPConfig",
  SleepAction: "seconds 1 int64 required",
  Sysctl: "name 1 string required; value 2 string required",
  TCPSocketAction: "port 1 IntOrString required; host 2 string",
  Taint: "key 1 string required; value 2 string; effect 3 string required; timeAdded 4 Time",
  Toleration: "key 1 string; operator 2 string; value 3 string; effect 4 string; tolerationSeconds 5 int64?",
  TopologySelectorLabelRequirement: "key 1 string required; values 2 [string] required",
  TopologySelectorTerm: "@atomic; matchLabelExpressions 1 [TopologySelectorLabelRequirement]",
  TopologySpreadConstraint:
    "maxSkew 1 int32 required; topologyKey 2 string required; whenUnsatisfiable 3 string required; labelSelector 4 LabelSelector; minDomains 5 int32?; nodeAffinityPolicy 6 string?; nodeTaintsPolicy 7 string?; matchLabelKeys 8 [string]",
  TypedLocalObjectReference: "@atomic; apiGroup 1 string?; kind 2 string required; name 3 string required",
  TypedObjectReference: "apiGroup 1 string?; kind 2 string required; name 3 string required; namespace 4 string?",
  WeightedPodAffinityTerm: "weight 1 int32 required; podAffinityTerm 2 PodAffinityTerm required",
  WindowsSecurityContextOptions:
    "gmsaCredentialSpecName 1 string?; gmsaCredentialSpec 2 string?; runAsUserName 3 string?; hostProcess 4 bool?",
};
