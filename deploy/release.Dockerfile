# The images of a release. GoReleaser puts the programs beside this file, in a
# directory for each platform. No step runs a program of another platform, so that
# one machine builds the images for all. deploy/Dockerfile builds from source instead.

FROM golang:1.26-bookworm AS go
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/kubevet /usr/bin/kubevet
# kubevet go reads code and may not write beside it. A repository that is mounted
# usually has another owner, which git refuses to read.
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

# kubevet alone, with the certificates of public authorities for --cluster. What
# needs git or go, which are --old REVISION and kubevet go, is in the image above.
FROM scratch AS small
ARG TARGETPLATFORM
COPY --from=go /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY $TARGETPLATFORM/kubevet /usr/bin/kubevet
# Somebody without rights, whose number needs no passwd file.
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["/usr/bin/kubevet"]
CMD ["lint", "."]
