"""The denoiser's training once more, in PyTorch, for machines with GPUs.

It reads the demonstrations of `difflns expert`, draws the same samples in the same order as `difflns train`, computes the
same losses, and reads and writes the same model and state files: a run may move between the two at any step.

    torchrun --nproc_per_node 8 -m difflns_torch --data demos --start first.model -o model --mixed bf16
"""
