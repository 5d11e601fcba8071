! What Fortran has that C has not: modules, common blocks, arrays from 1 on, allocatable ones, names without case.
module heat
  implicit none
  real(8), allocatable :: field(:)
contains
  subroutine Fill(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      field(i) = i
    end do
  end subroutine
  real(8) function total(n)
    integer, intent(in) :: n
    integer :: i
    total = 0
    do i = 1, n
      total = total + field(i)
    end do
  end function
end module

subroutine chain(n)
  implicit none
  integer :: n, k
  real(8) :: table(100)
  common /shared/ table
  do k = 2, n
    table(k) = table(k - 1) + 1
  end do
end subroutine

program main
  use heat
  implicit none
  real(8) :: table(100), line(50)
  common /shared/ table
  integer :: k
  allocate (field(1000))
  table(1) = 1
  do k = 1, 3
    call fill(1000)
    call chain(100)
  end do
  do k = 1, 50
    line(k) = field(k)
  end do
  if (total(1000) /= 500500d0 .or. table(100) /= 100d0 .or. line(50) /= 50d0) stop 2
end program
