"""What must hold between the objects of a rendered set of Kubernetes manifests.

`problems(objects)` gives a list of sentences, empty when all is well. Each check takes the whole
set, since nearly every mistake in manifests is one object naming something another does not have.
"""

import re

RECOMMENDED_LABELS = ("name", "instance", "version", "component", "part-of", "managed-by")
SELECTOR_LABELS = {f"app.kubernetes.io/{label}" for label in ("name", "instance", "component")}


def title(thing):
    return f"{thing['kind']} {thing['metadata']['name']}"


def of_kind(objects, *kinds):
    return [thing for thing in objects if thing["kind"] in kinds]


def workloads(objects):
    return of_kind(objects, "StatefulSet", "Deployment")


def pod_of(workload):
    return workload["spec"]["template"]["spec"]


def containers_of(workload):
    return pod_of(workload)["containers"]


def ports_of(workload):
    return {
        port["name"]: port["containerPort"]
        for container in containers_of(workload)
        for port in container.get("ports", [])
    }


def flags_of(container):
    """The container's arguments of the form --flag=value, as a dictionary."""
    return dict(
        argument[2:].split("=", 1) for argument in container["args"] if argument.startswith("--")
    )


def selected(objects, selector):
    """The workloads whose pods carry all labels of the selector."""
    return [
        workload
        for workload in workloads(objects)
        if selector.items() <= workload["spec"]["template"]["metadata"]["labels"].items()
    ]


def labelled(objects):
    """Everything that carries labels, with the labels it needs: a claim template has no version,
    since it cannot be changed afterwards."""
    for thing in objects:
        # Kustomize before 3.8 gives all generated objects the same labels.
        generated = thing["kind"] == "ConfigMap"
        needed = [label for label in RECOMMENDED_LABELS if not generated or label != "component"]
        yield title(thing), thing["metadata"], needed
    for workload in workloads(objects):
        template = workload["spec"]["template"]
        yield f"pod template of {title(workload)}", template["metadata"], RECOMMENDED_LABELS
        for claim in workload["spec"].get("volumeClaimTemplates", []):
            needed = [label for label in RECOMMENDED_LABELS if label != "version"]
            yield f"claim template of {title(workload)}", claim["metadata"], needed


def check_labels(objects):
    versions = set()
    for name, metadata, needed in labelled(objects):
        labels = metadata.get("labels", {})
        if labels.keys() != {f"app.kubernetes.io/{label}" for label in needed}:
            missing = [label for label in needed if f"app.kubernetes.io/{label}" not in labels]
            yield f"{name} has labels {sorted(labels)}, without {missing}"
        versions.add(labels.get("app.kubernetes.io/version"))
    if len(versions - {None}) != 1:
        yield f"there are versions {sorted(map(str, versions))}"


def check_workload_selectors(objects):
    for workload in workloads(objects):
        selector = workload["spec"]["selector"]["matchLabels"]
        if selector.keys() != SELECTOR_LABELS:
            yield f"{title(workload)} selects by {sorted(selector)}"
        if selected(objects, selector) != [workload]:
            yield f"{title(workload)} does not select exactly its own pods"


def check_services(objects):
    for service in of_kind(objects, "Service"):
        chosen = selected(objects, service["spec"].get("selector", {}))
        if len(chosen) != 1:
            yield f"{title(service)} selects {len(chosen)} workloads"
        for workload in chosen:
            ports = ports_of(workload)
            for port in service["spec"]["ports"]:
                if port.get("targetPort") not in ports:
                    yield f"{title(service)} leads to port {port.get('targetPort')}, not in {ports}"


def check_disruption_budgets(objects):
    for budget in of_kind(objects, "PodDisruptionBudget"):
        chosen = selected(objects, budget["spec"]["selector"]["matchLabels"])
        if len(chosen) != 1:
            yield f"{title(budget)} selects {len(chosen)} workloads"
        for workload in chosen:
            if workload["spec"]["replicas"] <= budget["spec"]["minAvailable"]:
                yield f"{title(budget)} lets no pod of {title(workload)} go"


def check_network_policies(objects):
    covered = []
    for policy in of_kind(objects, "NetworkPolicy"):
        chosen = selected(objects, policy["spec"]["podSelector"]["matchLabels"])
        if len(chosen) != 1:
            yield f"{title(policy)} selects {len(chosen)} workloads"
        covered += chosen
        ports = {name for workload in chosen for name in ports_of(workload)}
        opened = set()
        for rule in policy["spec"]["ingress"]:
            opened |= {port["port"] for port in rule["ports"]}
        if opened != ports:
            yield f"{title(policy)} opens {sorted(opened)}, the pods have {sorted(ports)}"
        yield from check_egress(objects, policy)
    for workload in workloads(objects):
        if workload not in covered:
            yield f"{title(workload)} has no NetworkPolicy"


def check_egress(objects, policy):
    for rule in policy["spec"]["egress"]:
        for peer in rule.get("to", []):
            for workload in selected(objects, peer["podSelector"]["matchLabels"]):
                for port in rule["ports"]:
                    if port["port"] not in ports_of(workload):
                        yield f"{title(policy)} lets out to port {port['port']} of {title(workload)}"


def check_probes(objects):
    for workload in workloads(objects):
        ports = ports_of(workload)
        for container in containers_of(workload):
            paths = {}
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                get = container.get(probe, {}).get("httpGet", {})
                if get.get("port") not in ports:
                    yield f"{title(workload)}: {probe} asks port {get.get('port')}, not in {ports}"
                paths[probe] = get.get("path")
            wanted = {
                "startupProbe": "/startupz",
                "livenessProbe": "/livez",
                "readinessProbe": "/readyz",
            }
            if paths != wanted:
                yield f"{title(workload)}: probes ask {paths}"


def check_security(objects):
    for workload in workloads(objects):
        pod = pod_of(workload)
        name = title(workload)
        context = pod.get("securityContext", {})
        if context.get("runAsNonRoot") is not True or not context.get("runAsUser"):
            yield f"{name} may run as root"
        if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{name} has no seccomp profile"
        if pod.get("automountServiceAccountToken") is not False:
            yield f"{name} mounts a token of the cluster"
        if any(pod.get(key) for key in ("hostNetwork", "hostPID", "hostIPC")):
            yield f"{name} shares a namespace of the host"
        if any("hostPath" in volume for volume in pod.get("volumes", [])):
            yield f"{name} mounts a path of the host"
        for container in containers_of(workload):
            wanted = {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            if container.get("securityContext") != wanted:
                yield f"{name}: container {container['name']} is not confined"
            if "memory" not in container.get("resources", {}).get("limits", {}):
                yield f"{name}: container {container['name']} has no memory limit"


def check_references(objects):
    maps = {thing["metadata"]["name"] for thing in of_kind(objects, "ConfigMap")}
    for workload in workloads(objects):
        for container in containers_of(workload):
            for source in container.get("envFrom", []):
                if source["configMapRef"]["name"] not in maps:
                    yield f"{title(workload)} reads ConfigMap {source['configMapRef']['name']}"
        yield from check_volumes(workload)


def check_volumes(workload):
    claims = workload["spec"].get("volumeClaimTemplates", [])
    volumes = {volume["name"] for volume in pod_of(workload).get("volumes", [])}
    volumes |= {claim["metadata"]["name"] for claim in claims}
    mounted = {
        mount["name"]
        for container in containers_of(workload)
        for mount in container.get("volumeMounts", [])
    }
    if volumes != mounted:
        yield f"{title(workload)} has volumes {sorted(volumes)} and mounts {sorted(mounted)}"


def check_arguments(objects):
    for workload in workloads(objects):
        for container in containers_of(workload):
            flags = flags_of(container)
            yield from check_listeners(workload, flags)
            yield from check_paths(workload, container, flags)
            if "directory" in flags:
                yield from check_directory_address(objects, workload, flags["directory"])


def check_listeners(workload, flags):
    ports = ports_of(workload)
    listeners = {name[: -len("-listen")]: value for name, value in flags.items() if "-listen" in name}
    if listeners.keys() != ports.keys():
        yield f"{title(workload)} listens for {sorted(listeners)}, its ports are {sorted(ports)}"
    for name, address in listeners.items():
        if address != f"0.0.0.0:{ports.get(name)}":
            yield f"{title(workload)} listens at {address}, its port is {ports.get(name)}"


def check_paths(workload, container, flags):
    mounts = [mount["mountPath"] for mount in container["volumeMounts"]]
    for name, value in flags.items():
        if value.startswith("/") and not any(
            value == mount or value.startswith(mount + "/") for mount in mounts
        ):
            yield f"{title(workload)}: --{name}={value} is in no mounted volume"


def check_directory_address(objects, workload, address):
    match = re.fullmatch(r"dns:///([a-z0-9-]+):(\d+)", address)
    services = {service["metadata"]["name"]: service for service in of_kind(objects, "Service")}
    if not match or match[1] not in services:
        yield f"{title(workload)} looks for the directory at {address}"
        return
    spec = services[match[1]]["spec"]
    if spec.get("clusterIP") != "None":
        yield f"{title(workload)}: Service {match[1]} is not headless"
    if int(match[2]) not in [port["port"] for port in spec["ports"]]:
        yield f"{title(workload)}: Service {match[1]} has no port {match[2]}"


def check_environment(objects):
    """Variables that Kubernetes invents from Service names must not look like settings."""
    for workload in workloads(objects):
        if pod_of(workload).get("enableServiceLinks") is not False:
            yield f"{title(workload)} gets variables named after Services"


def check_scraping(objects):
    for workload in workloads(objects):
        annotations = workload["spec"]["template"]["metadata"].get("annotations", {})
        wanted = {
            "prometheus.io/scrape": "true",
            "prometheus.io/port": str(ports_of(workload).get("http")),
            "prometheus.io/path": "/metrics",
        }
        if annotations != wanted:
            yield f"{title(workload)} is scraped as {annotations}"


def check_rollout(objects):
    for workload in workloads(objects):
        spec = workload["spec"]
        if workload["kind"] == "StatefulSet":
            names = {thing["metadata"]["name"] for thing in of_kind(objects, "Service")}
            if spec["serviceName"] not in names:
                yield f"{title(workload)} names Service {spec['serviceName']}"
            if spec["replicas"] != 1:
                yield f"{title(workload)} has {spec['replicas']} writers of one store"
        elif spec["strategy"]["rollingUpdate"]["maxUnavailable"] != 0:
            yield f"{title(workload)} loses pods during an update"


CHECKS = (
    check_labels,
    check_workload_selectors,
    check_services,
    check_disruption_budgets,
    check_network_policies,
    check_probes,
    check_security,
    check_references,
    check_arguments,
    check_environment,
    check_scraping,
    check_rollout,
)


def problems(objects):
    return [problem for check in CHECKS for problem in check(objects)]
