# Builds the images of a release. GoReleaser puts the programs next to this file, in a
# directory for each platform. No step runs a program of another platform, so that
# one machine can build the images for all platforms. deploy/Dockerfile builds from source.

FROM golang:1.26-bookworm AS go
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/kubevet /usr/bin/kubevet
# kubevet go reads code in a mounted repository and must not write there. This repository
# usually has another owner, and git refuses to read it without this setting.
ENV HOME=/tmp \
    GOPATH=/tmp/go \
    GOFLAGS=-buildvcs=false \
    GIT_CONFIG_COUNT=1 \
    GIT_CONFIG_KEY_0=safe.directory \
    GIT_CONFIG_VALUE_0=*
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["/usr/bin/kubevet"]
CMD ["go", "./..."]

# Only kubevet, with the certificates of public authorities for --cluster. --old REVISION
# and kubevet go need git or go, which only the image above has.
FROM scratch AS small
ARG TARGETPLATFORM
COPY --from=go /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY $TARGETPLATFORM/kubevet /usr/bin/kubevet
# A user without rights. A numeric ID needs no passwd file.
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["/usr/bin/kubevet"]
CMD ["lint", "."]
